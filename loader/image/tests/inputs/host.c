// The host's side of a program with images in a section.
int main(void) { return 0; }
