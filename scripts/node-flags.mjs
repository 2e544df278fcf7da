/**
 * Flags of Node for processes with waiting polls, as in docker-compose.yml. The objects of each poll live until its event arrives,
 * and live objects are copied when the young generation is full. With Node's own limit, 64 MB, copying takes longer than
 * the allowed delay of an event (ADR 0011).
 */
export const waitingPollsFlags = ['--max-semi-space-size=8'];

/** Of an aggregator, as in docker-compose.yml and deploy/kubernetes: less memory for the same processor time (ADR 0091). */
export const aggregatorFlags = ['--max-semi-space-size=16'];

/** Of a sender, as in docker-compose.yml and deploy/sender: a third less memory, for the same processor time (docs/performance.md). */
export const senderFlags = ['--max-semi-space-size=16'];
