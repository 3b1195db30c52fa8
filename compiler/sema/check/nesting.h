#pragma once

namespace smec::sema {

/// How often the checker is inside of something at the moment.
class Depth {
public:
    class Inside {
    public:
        Inside(int& depth, int by) : depth_(depth), by_(by) { depth_ += by_; }
        ~Inside() { depth_ -= by_; }
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

    private:
        int& depth_;
        const int by_;
    };

    [[nodiscard]] Inside enter() { return {depth_, 1}; }
    [[nodiscard]] Inside enterIf(bool isReal) { return {depth_, isReal ? 1 : 0}; }
    explicit operator bool() const { return depth_ > 0; }

private:
    int depth_ = 0;
};

/// What the expression at hand stands in.
struct Nesting {
    Depth constantOnly;  ///< an expression that must be constant
    Depth typeOnly;      ///< len(e) or type(e): nothing is read
    Depth unevaluated;   ///< an operand that is not evaluated: constant failures are no errors
    Depth assertion;     ///< a condition that is meant to hold always
};

}  // namespace smec::sema
