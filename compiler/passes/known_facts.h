#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <variant>
#include <vector>

#include "ir/ir.h"
#include "source/function_ref.h"

namespace smec::passes {

/// What is known of expressions at one place of a body, for a walk that goes into branches and comes
/// back.
///
/// A walk marks a place, learns and forgets, and undoes all of it: that costs what was learnt and
/// forgotten in between, not what is known. To forget a local costs the facts that read it.
/// Every expression may have an interval, a condition and a choice.
class KnownFacts {
public:
    /// A boolean temporary of `if c { t = x } else { t = k }`: where it is not `constant`, the
    /// condition came out as `side` and `value` too is not `constant`.
    struct Choice {
        ir::ExprId condition;
        bool side;
        ir::ExprId value;
        bool constant;
    };

    /// Good until an older one is undone.
    struct Mark {
        std::size_t changes;
        std::size_t entries;
    };

private:
    enum class Kind : std::uint8_t { Interval, Condition, Choice };
    struct Key {
        Kind kind;
        ir::ExprId id;
    };
    using Value = std::variant<std::monostate, ir::Interval, bool, Choice>;
    struct Slot {
        Value value;
        std::size_t entry = 0;  ///< into entries_, where there is a value or was one
    };
    struct Counts {
        std::size_t most = 0;  ///< intervals and conditions
        std::size_t choices = 0;
    };
    struct Change {
        std::optional<Key> key;  ///< none: all was cleared
        Slot slot;
        std::size_t oldest;
        Counts counts;
    };

public:
    /// What was undone, last change first.
    using Changes = std::vector<Change>;

    /// The body's expressions stay as they are as long as this is used.
    explicit KnownFacts(const ir::Body& body);

    bool empty() const { return counts_.most + counts_.choices == 0; }
    /// Intervals and conditions.
    std::size_t size() const { return counts_.most; }
    /// A bound of what forgetIf() goes through.
    std::size_t extent() const { return entries_.size() - oldest_; }

    /// Null where nothing is known; good until the next change.
    const ir::Interval* interval(ir::ExprId id) const;
    std::optional<bool> condition(ir::ExprId id) const;
    std::optional<Choice> choice(ir::ExprId id) const;

    void setInterval(ir::ExprId id, ir::Interval value);
    void setCondition(ir::ExprId id, bool value);
    void setChoice(ir::ExprId id, const Choice& value);

    /// Whether the expression reads such a local, or is so large that this is not worth finding out.
    bool readsAny(ir::ExprId id, FunctionRef<bool(ir::LocalId)> isOne);

    /// Drops what is known of expressions that read the local …
    void forget(ir::LocalId local);
    /// … or one of these locals …
    void forgetIf(FunctionRef<bool(ir::LocalId)> isForgotten);
    /// … or anything.
    void clear();

    Mark mark();
    Changes undo(Mark mark);
    /// What undo() gave, at the place to which it went back.
    void redo(Changes changes);

private:
    struct Reads {
        bool isTooLarge = false;  ///< then `locals` is not used
        std::vector<ir::LocalId> locals;
    };

    static std::uint64_t numberOf(Key key);
    const Slot* find(Key key) const;
    bool counts(const Slot& slot) const;
    std::size_t& countOf(Kind kind);

    const Reads& readsOf(ir::ExprId id);
    bool factReadsAny(Key key, const Value& value, FunctionRef<bool(ir::LocalId)> isOne);
    void list(Key key, const Value& value);
    void listReader(ir::ExprId id, Key key);
    void set(Key key, Value value);
    void drop(Key key, Slot& slot);
    void dropReaders(std::vector<Key>& readers, FunctionRef<bool(ir::LocalId)> isForgotten);

    const ir::Body& body_;
    std::unordered_map<std::uint64_t, Slot> slots_;
    std::vector<Key> entries_;     ///< keys in the order in which they got values
    std::size_t oldest_ = 0;       ///< entries before it count no more
    std::size_t lastMark_ = 0;     ///< an entry behind it belongs to the innermost mark
    Counts counts_;                ///< of those that count
    std::vector<Change> changes_;  ///< each with what was before
    std::unordered_map<std::uint32_t, Reads> reads_;
    std::vector<std::vector<Key>> readers_;  ///< by local; more than those that have a value
    std::vector<Key> largeReaders_;          ///< facts that any local may be read by
};

}  // namespace smec::passes
