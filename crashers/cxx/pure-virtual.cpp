// SPDX-License-Identifier: Apache-2.0
// A base class that calls its own pure virtual function while it is being destroyed.
#include <cstdio>

class Stream {
  public:
    virtual ~Stream() {
        close();
    }
    __attribute__((noipa)) int close() {
        int flushed = flush();
        return flushed + 1;
    }

  protected:
    virtual int flush() = 0;
};

class FileStream : public Stream {
  protected:
    int flush() override {
        return std::printf("flushed\n");
    }
};

__attribute__((noinline)) static int writeReport(Stream *stream) {
    delete stream;
    return std::printf("written\n");
}

int main() {
    int written = writeReport(new FileStream);
    return written == 0;
}
