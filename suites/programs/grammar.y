%{
#include <stdio.h>
int yylex(void);
void yyerror(const char *text);
%}
%token NUMBER
%left '+' '-'
%left '*' '/'
%%
lines: | lines line ;
line: sum '\n' { printf("%d\n", $1); } ;
sum: NUMBER
   | sum '+' sum { $$ = $1 + $3; }
   | sum '-' sum { $$ = $1 - $3; }
   | sum '*' sum { $$ = $1 * $3; }
   | sum '/' sum { $$ = $3 ? $1 / $3 : 0; }
   | '(' sum ')' { $$ = $2; }
   ;
%%
