// Of no use but that it is compiled with the headers that all tests share: see CMakeLists.txt.
int main() {}
