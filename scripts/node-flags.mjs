/**
 * What Node is told where polls wait; docker-compose.yml says the same. The objects of each poll live until its event comes,
 * and whatever lives is copied when young memory is full. As large as Node would make it, 64 MB, copying takes longer than
 * an event may take to its client (ADR 0011).
 */
export const waitingPollsFlags = ['--max-semi-space-size=8'];
