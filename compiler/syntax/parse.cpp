#include "syntax/parse.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "syntax/builder.h"
#include "syntax/failure.h"
#include "syntax/habit.h"
#include "syntax/open_bracket.h"
#include "syntax/recovery.h"
#include "syntax/token_window.h"

// ANTLR parses a piece at a time (an item; of a process or network its head, then each declaration
// and statement), the tree of the piece is built, ANTLR's contexts are dropped. Each piece is tried
// with fast SLL prediction first and with full LL where that fails. After an error parsing goes on
// at the next piece where it is clear where that starts, else at what looks like the next item.

namespace smec::syntax {

namespace {

using antlr4::atn::PredictionMode;
using P = grammar::SmeParser;

/// More broken items than this in one file and the rest is not looked at: whoever repairs these
/// will see the others.
constexpr std::size_t kMaxFailures = 200;

class ModuleParser {
public:
    ModuleParser(const SourceManager& sources, FileId file, Diagnostics& diagnostics)
        : sources_(sources),
          diagnostics_(diagnostics),
          module_{file, {}, {}, {}},
          lexed_(lex(sources, file, lexical_)),
          window_(lexed_.tokens),
          parser_(&window_),
          builder_({sources.text(file), window_, module_, diagnostics}) {
        module_.comments = std::move(lexed_.comments);
        limitNesting(lexed_.tokens);
        parser_.removeErrorListeners();
        parser_.setErrorHandler(std::make_shared<FailingStrategy>());
        parser_.setBuildParseTree(false);
    }

    ast::Module run() {
        while (!lexed_.gaveUp && failures_ < kMaxFailures && !isNext(kEndOfFile)) {
            std::size_t start = item_ = window_.index();
            resumed_.reset();
            try {
                parseItem();
                if (resumed_) skipRest(start);
            } catch (const Failure& failure) {
                fail(start, failure);
                skipped_.emplace_back(failure.token, after(failure));
                goToItem(start, after(failure));
            }
        }
        reportLexical();
        return std::move(module_);
    }

private:
    void goToItem(std::size_t start, std::size_t from) {
        goTo(nextItem(lexed_.tokens, sources_.text(module_.file), start, from), from);
    }

    /// Goes on at `next` after a failure at `failed`.
    void goTo(std::size_t next, std::size_t failed) {
        skipped_.emplace_back(failed, next);
        window_.startAt(next);
    }

    // Odd characters in text that was left out after an error are likely to be part of it.
    void reportLexical() {
        for (std::size_t i = 0; i < lexical_.all().size(); ++i) {
            const Diagnostic& error = lexical_.all()[i];
            if (!isOdd(error.id) || !isSkipped(lexed_.errorTokens[i])) diagnostics_.repeat(error);
        }
    }

    static bool isOdd(DiagId id) {
        return id == DiagId::OtherLanguage || id == DiagId::BadCharacter
               || id == DiagId::MalformedNumber || id == DiagId::MalformedCharacter;
    }

    bool isSkipped(std::size_t token) const {
        return std::any_of(skipped_.begin(), skipped_.end(), [&](const auto& range) {
            return range.first < token && token < range.second;
        });
    }

    /// An item with errors may have ended at the wrong brace: what cannot be an item belongs to it.
    void skipRest(std::size_t start) {
        if (!isNext(kEndOfFile) && !startsItem(lexed_.tokens, window_.index()))
            goToItem(start, window_.index());
    }

    bool isNext(std::size_t type) const { return lexed_.tokens[window_.index()].type == type; }

    void parseItem() {
        switch (lexed_.tokens[window_.index()].type) {
        case P::Network: return parseNetwork();
        case P::Sync:
        case P::Async:
        case P::Sim:
        case P::Proc: return parseProcess();
        default:
            piece(&P::moduleItem, PieceKind::Item, [&](P::ModuleItemContext& context) {
                if (auto decl = builder_.declarations.item(context))
                    module_.decls.push_back(std::move(*decl));
            });
        }
    }

    void parseProcess() {
        std::size_t start = window_.index();
        ast::ProcDecl process;
        piece(&P::processHead, PieceKind::Item,
              [&](auto& context) { process = builder_.declarations.processHead(context); });
        parseDeclarations(process.decls, P::LeftBrace, Site::Process);
        process.body = parseBody();
        finish(start, std::move(process));
    }

    void parseNetwork() {
        std::size_t start = window_.index();
        ast::NetworkDecl network;
        piece(&P::networkHead, PieceKind::Item,
              [&](auto& context) { network = builder_.declarations.networkHead(context); });
        parseDeclarations(network.decls, P::RightBrace, Site::Network);
        window_.consume();
        finish(start, std::move(network));
    }

    void parseDeclarations(std::vector<ast::Decl>& into, std::size_t end, Site site) {
        const PieceKind kind =
            site == Site::Process ? PieceKind::ProcessDeclaration : PieceKind::NetworkDeclaration;
        while (!isNext(end)) {
            pieceOr(end, &P::declaration, kind, [&](P::DeclarationContext& context) {
                if (auto decl = builder_.declarations.declaration(context, site))
                    into.push_back(std::move(*decl));
            });
        }
    }

    ast::Block parseBody() {
        std::size_t start = window_.index();
        ast::Block body;
        window_.consume();
        while (!isNext(P::RightBrace)) {
            pieceOr(P::RightBrace, &P::statement, PieceKind::Statement,
                    [&](P::StatementContext& context) {
                        body.statements.push_back(builder_.statements.statement(context));
                    });
        }
        window_.consume();
        body.range = rangeFrom(start);
        return body;
    }

    // A process or network ends at its closing brace, or at a semicolon after it.
    template <typename Node>
    void finish(std::size_t start, Node node) {
        if (isNext(P::Semicolon)) window_.consume();
        if (resumed_) return;  // it is not whole
        module_.decls.push_back({rangeFrom(start), std::move(node)});
    }

    SourceRange rangeFrom(std::size_t start) {
        return {module_.file, lexed_.tokens[start].begin, lexed_.tokens[window_.index() - 1].end};
    }

    template <typename Context, typename Use>
    void piece(Context* (P::*rule)(), PieceKind kind, Use use) {
        std::size_t start = window_.index();
        piece_ = {start, kind};
        Context* context = nullptr;
        try {
            context = attempt(start, rule, PredictionMode::SLL);
        } catch (const Failure&) {
            context = attempt(start, rule, PredictionMode::LL);
        }
        use(*context);
    }

    /// A piece in a list that `end` would close.
    template <typename Context, typename Use>
    void pieceOr(std::size_t end, Context* (P::*rule)(), PieceKind kind, Use use) {
        std::size_t start = window_.index();
        try {
            piece(rule, kind, use);
        } catch (Failure& failure) {
            if (failure.token == start) failure.expected.set(end);
            resume(start, failure, kind);
        }
    }

    template <typename Context>
    Context* attempt(std::size_t start, Context* (P::*rule)(), PredictionMode mode) {
        parser_.reset();
        window_.startAt(start);
        parser_.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(mode);
        return (parser_.*rule)();
    }

    /// Counts a failure and reports it. Where parsing has gone on after an error and fails at the
    /// first token, that is taken for a consequence.
    void fail(std::size_t start, const Failure& failure) {
        ++failures_;
        const bool follows = resumed_ && failure.token == *resumed_;
        if (!follows) report(resumed_ ? std::max(start, *resumed_) : start, failure);
    }

    /// Goes on after a failed piece; throws the failure where that is not possible.
    void resume(std::size_t start, const Failure& failure, PieceKind kind) {
        const bool isLimit =
            lexed_.tokens[failure.token].type == kTooDeep || window_.isTooLong(failure.token);
        if (isLimit || failures_ + 1 >= kMaxFailures) throw failure;
        const auto next =
            nextPiece(lexed_.tokens, sources_.text(module_.file), start, after(failure), kind);
        if (!next) throw failure;
        fail(start, failure);
        goTo(*next, failure.token);
        resumed_ = *next;
    }

    std::optional<Habit> habit(const Failure& failure) const {
        return habitAt(
            {lexed_.tokens, sources_.text(module_.file), failure, piece_.start, piece_.kind});
    }

    /// Where to look for what comes after the failure.
    std::size_t after(const Failure& failure) const {
        const std::optional<Habit> found = habit(failure);
        return found ? found->after : failure.token;
    }

    void report(std::size_t start, const Failure& failure) {
        const LexedToken& token = lexed_.tokens[failure.token];
        SourceRange range{module_.file, token.begin, token.end};
        if (token.type == kTooDeep) {
            diagnostics_.report(DiagId::NestingTooDeep, range, kMaxNesting);
        } else if (window_.isTooLong(failure.token)) {
            diagnostics_.report(DiagId::DeclarationTooLong, range, kMaxPieceTokens);
        } else if (followsLexicalError(start, failure.token)) {
            return;
        } else if (const std::optional<Habit> found = habit(failure)) {
            const std::size_t last = std::min(found->last, lexed_.tokens.size() - 1);
            range = {module_.file, lexed_.tokens[found->first].begin, lexed_.tokens[last].end};
            diagnostics_.report(DiagId::OtherLanguage, range, found->message);
        } else {
            SyntaxMessage message =
                describe(failure, parser_.getVocabulary(), lexed_.tokens, sources_, module_.file);
            auto error = diagnostics_.report(DiagId::SyntaxError, message.range, message.text);
            if (lacksBrace(failure)) noteOpenBrace(error, failure.token);
        }
    }

    /// Whether what stands at a failure starts anew after a '}' that is not there.
    bool lacksBrace(const Failure& failure) const {
        if (!failure.expected.test(P::RightBrace)) return false;
        switch (lexed_.tokens[failure.token].type) {
        case kEndOfFile:
        case P::Network:
        case P::Sync:
        case P::Async:
        case P::Sim:
        case P::Proc:
        case P::Import:
        case P::From:
        case P::Extern: return true;
        default: return false;
        }
    }

    void noteOpenBrace(Diagnostics::Handle& error, std::size_t end) const {
        const auto open = openBrace(lexed_.tokens, sources_.text(module_.file), item_, end);
        if (!open) return;
        const LexedToken& token = lexed_.tokens[open->token];
        error.note(open->isGuess ? DiagId::PerhapsNotClosed : DiagId::NotClosed,
                   {module_.file, token.begin, token.end});
    }

    // What follows from a character or string that was no token is not worth a message of its own.
    bool followsLexicalError(std::size_t start, std::size_t token) const {
        auto first = std::lower_bound(lexed_.errorTokens.begin(), lexed_.errorTokens.end(), start);
        return first != lexed_.errorTokens.end() && *first <= token;
    }

    const SourceManager& sources_;
    Diagnostics& diagnostics_;
    ast::Module module_;
    Diagnostics lexical_;
    Lexed lexed_;
    TokenWindow window_;
    P parser_;
    Builder builder_;
    struct Piece {
        std::size_t start = 0;
        PieceKind kind = PieceKind::Item;
    };
    std::vector<std::pair<std::size_t, std::size_t>> skipped_;  // tokens, both ends excluded
    Piece piece_;           // the one being parsed, or the last one that failed
    std::size_t item_ = 0;  // where it starts
    std::size_t failures_ = 0;
    std::optional<std::size_t> resumed_;  // within this item, after an error
};

}  // namespace

ast::Module parse(const SourceManager& sources, FileId file, Diagnostics& diagnostics) {
    return ModuleParser(sources, file, diagnostics).run();
}

}  // namespace smec::syntax
