export { aggregator, aggregatorSettings } from './aggregator-service.js';
export { AggregatorModule, type AggregatorParts } from './aggregator.module.js';
export type * from './calls/call.js';
export { runDeadLettersCommand, type CommandIo } from './dead-letters/command.js';
