/* The calls by which the examples read and write; io.toml says what each moves. */
void writeBool(int value);
void writeInt(int value);
void writeChar(int value);
void writeDouble(double value);
int readBool(void);
int readInt(void);
int readChar(void);
double readDouble(void);
int more(void); /* something that only a run can tell */
