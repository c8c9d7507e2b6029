// SPDX-License-Identifier: Apache-2.0
// A tokenizer of small functions, all of them inlined into one another.
#include <cstdio>
#include <cstring>
#include <vector>

struct Buffer {
    const char *data;
    size_t size;
};

class Tokenizer {
  public:
    explicit Tokenizer(const Buffer *buffer) : buffer_(buffer) {}

    __attribute__((always_inline)) inline char peek() const {
        return byteAt(position_);
    }
    __attribute__((always_inline)) inline bool skipSpace() {
        while (position_ < 4 && peek() == ' ')
            position_++;
        return position_ < 4;
    }
    __attribute__((always_inline)) inline int nextToken() {
        return skipSpace() ? peek() : -1;
    }

  private:
    __attribute__((always_inline)) inline char byteAt(size_t index) const {
        const volatile char *data = buffer_->data;
        return data[index];
    }
    const Buffer *buffer_;
    size_t position_ = 0;
};

__attribute__((always_inline)) static inline int firstToken(const Buffer *buffer) {
    Tokenizer tokenizer(buffer);
    return tokenizer.nextToken();
}

__attribute__((noinline)) static int countTokens(const std::vector<Buffer> &buffers) {
    int count = 0;
    for (const Buffer &buffer : buffers)
        count += firstToken(&buffer) > 0;
    return count;
}

int main() {
    std::vector<Buffer> buffers = {{"  ab", 4}, {nullptr, 0}};
    int count = countTokens(buffers);
    std::printf("%d\n", count);
    return 0;
}
