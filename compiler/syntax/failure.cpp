#include "syntax/failure.h"

namespace smec::syntax {

namespace {

void addTo(TokenSet& set, const antlr4::misc::IntervalSet& tokens) {
    for (const antlr4::misc::Interval& interval : tokens.getIntervals())
        for (ssize_t type = interval.a; type <= interval.b; ++type)
            if (type > 0 && static_cast<std::size_t>(type) < set.size())
                set.set(static_cast<std::size_t>(type));
}

}  // namespace

void FailingStrategy::sync(antlr4::Parser* parser) {
    std::size_t at = parser->getTokenStream()->index();
    if (at != visitedAt_) visited_.clear();
    visitedAt_ = at;
    visited_.push_back(parser->getState());
}

antlr4::Token* FailingStrategy::recoverInline(antlr4::Parser* parser) {
    std::size_t token = parser->getTokenStream()->index();
    throw Failure{token, expectedAt(*parser, token)};
}

void FailingStrategy::recover(antlr4::Parser* parser, std::exception_ptr error) {
    try {
        std::rethrow_exception(error);
    } catch (const antlr4::NoViableAltException& dead) {
        Failure failure{dead.getOffendingToken()->getTokenIndex(), {}};
        failure.expected = expectedAt(*parser, failure.token);
        if (antlr4::atn::ATNConfigSet* configs = dead.getDeadEndConfigs()) {
            const antlr4::atn::ATN& atn = parser->getATN();
            for (const auto& config : configs->configs)
                addTo(failure.expected, atn.nextTokens(config->state));
        }
        throw failure;
    } catch (const antlr4::RecognitionException& other) {
        std::size_t token = other.getOffendingToken()->getTokenIndex();
        throw Failure{token, expectedAt(*parser, token)};
    }
}

TokenSet FailingStrategy::expectedAt(antlr4::Parser& parser, std::size_t token) const {
    TokenSet expected;
    const antlr4::atn::ATN& atn = parser.getATN();
    auto add = [&](std::size_t state) { addTo(expected, atn.nextTokens(atn.states[state])); };
    if (token == visitedAt_)
        for (std::size_t state : visited_)
            add(state);
    if (token == parser.getTokenStream()->index()) add(parser.getState());
    return expected;
}

}  // namespace smec::syntax
