export { LEAST_CALLS } from '../suspects/gate.js';
export { haveOnePerson, suspectOrder } from '../suspects/one-person.js';
export { rankSuspects, type CountedFact, type Ranking, type Suspect } from '../suspects/rank.js';
export { PROBLEMS, type Fact, type Problem, type SuspectCall, type SuspectCalls } from '../suspects/suspect-calls.js';
