#pragma once

#include "schedule/scheduling.h"

namespace sme {

/// What an option's value is called.
template <typename T>
struct Choice {
    const char* name;
    T value;
};

inline constexpr Choice<ModelKind> kModels[] = {
#define SCHEDULER(NAME, KIND, TAKES, WORDS) {#NAME, ModelKind::KIND},
#include "sme/schedulers.def"
};
inline constexpr Choice<ChunkScheme> kChunks[] = {{"static", ChunkScheme::Static},
                                                  {"ss", ChunkScheme::SelfScheduling},
                                                  {"gss", ChunkScheme::Guided},
                                                  {"tss", ChunkScheme::Trapezoid},
                                                  {"fac2", ChunkScheme::Factoring},
                                                  {"tfss", ChunkScheme::TrapezoidFactoring},
                                                  {"fiss", ChunkScheme::FixedIncrease},
                                                  {"viss", ChunkScheme::VariableIncrease},
                                                  {"pls", ChunkScheme::PerformanceLoop},
                                                  {"pss", ChunkScheme::Probabilistic},
                                                  {"mfsc", ChunkScheme::ModifiedFixedSize},
                                                  {"mstatic", ChunkScheme::ModifiedStatic}};
inline constexpr Choice<Orchestrate> kOrchestrations[] = {{"even", Orchestrate::Even},
                                                          {"thesis", Orchestrate::Thesis},
                                                          {"roundrobin", Orchestrate::RoundRobin},
                                                          {"profile", Orchestrate::Profile},
                                                          {"montecarlo", Orchestrate::MonteCarlo},
                                                          {"optimize", Orchestrate::Optimize}};
inline constexpr Choice<WaitMode> kWaits[] = {{"spin", WaitMode::Spin},
                                              {"yield", WaitMode::Yield},
                                              {"block", WaitMode::Block},
                                              {"adaptive", WaitMode::Adaptive}};
inline constexpr Choice<QueueLayout> kLayouts[] = {
    {"node", QueueLayout::Node}, {"group", QueueLayout::Group}, {"core", QueueLayout::Core}};
inline constexpr Choice<Assign> kAssigns[] = {{"block", Assign::Block}, {"cyclic", Assign::Cyclic}};
inline constexpr Choice<Victim> kVictims[] = {{"seq", Victim::Sequential},
                                              {"seqpri", Victim::SequentialPriority},
                                              {"rnd", Victim::Random},
                                              {"rndpri", Victim::RandomPriority}};
inline constexpr Choice<bool> kSteals[] = {{"one", false}, {"half", true}};
inline constexpr Choice<Bind> kBinds[] = {{"none", Bind::None},
                                          {"compact", Bind::Compact},
                                          {"scatter", Bind::Scatter},
                                          {"auto", Bind::Auto}};
inline constexpr Choice<Numa> kNumas[] = {{"firsttouch", Numa::FirstTouch},
                                          {"interleave", Numa::Interleave}};

}  // namespace sme
