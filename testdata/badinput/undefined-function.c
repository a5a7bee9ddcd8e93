// A function that is declared and called but defined nowhere and known to no library model.
int launch_rockets(int count);

int main(void) {
    return launch_rockets(2);
}
