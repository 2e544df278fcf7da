export { plannedRecords } from './call-records.js';
export { chooseCulprit, CULPRIT_KINDS, type Culprit, type CulpritKind } from './culprits.js';
export { demoFrontEnds } from './places.js';
export { planCalls } from './plan-calls.js';
export { beginnings } from './rhythm.js';
export { storyOfCulprit } from './story.js';
