// How results of the search are ordered: as Sphinx does, but recipes, which are about questions, a little before other pages.
var Scorer = {
    score: ([page, , , , score]) => score + (page === "docs/recipes" ? 6 : 0),
    objNameMatch: 11,
    objPartialMatch: 6,
    objPrio: { 0: 15, 1: 5, 2: -5 },
    objPrioDefault: 0,
    title: 15,
    partialTitle: 7,
    term: 5,
    partialTerm: 2,
};
