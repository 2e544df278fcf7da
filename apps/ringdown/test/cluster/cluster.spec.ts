import { NOTHING_WRONG } from '@ringdown/aggregator/test/faults/feed-ledger.js';
import { REPORTS_FAULTS, reportRecovery, faultRepetitions } from '@ringdown/aggregator/test/faults/report.js';
import { jest } from '@jest/globals';
import { ALL_DELIVERED } from './chat.js';
import { ClusterSystem } from './cluster-system.js';
import { FAULTS, type Fault } from './faults.js';

/** `npm run test:cluster`; a test run has one try of the faults that take the least time. */
const MINUTES = Number(process.env['RINGDOWN_CLUSTER_MINUTES'] ?? 12);
/** Only faults with this text in their name. */
const WANTED = process.env['RINGDOWN_CLUSTER_FAULT'] ?? '';
const faults = REPORTS_FAULTS
  ? FAULTS.filter(({ name }) => name.includes(WANTED))
  : FAULTS.filter(({ isShort }) => isShort);

jest.setTimeout(7_200_000);

describe('a cluster of three nats-servers, two PostgreSQL and two of each service', () => {
  let system: ClusterSystem;
  /** Seconds until everything worked again. */
  const times = new Map<Fault, number[]>(faults.map((fault) => [fault, []]));

  beforeAll(async () => {
    system = await ClusterSystem.start();
  });
  afterAll(() => system?.stop());

  async function tryAll(round: number, until: number): Promise<void> {
    for (const [index, fault] of faults.entries()) {
      if (Date.now() > until) return;
      const began = performance.now();
      const repair = await fault.strike(system, round);
      await system.works().catch((error: unknown) => {
        throw new Error(`after ${fault.name}, round ${round}: ${system.problems()}`, { cause: error });
      });
      times.get(fault)?.push((performance.now() - began) / 1_000);
      // The short form ends here.
      if (REPORTS_FAULTS || index < faults.length - 1) await repair();
    }
  }

  it('loses and doubles no record and no message, whichever one of them fails, and goes on without it', async () => {
    await system.works();
    const until = REPORTS_FAULTS ? Date.now() + MINUTES * 60_000 : Infinity;
    let failure: unknown;
    try {
      for (let round = 0; round < faultRepetitions(30); round++) await tryAll(round, until);
    } catch (error) {
      failure = error;
    }
    const [records, messages] = [await system.ledger.outcome(), await system.chat.outcome()];
    const lost = records.lost.length + messages.lost.length;
    const doubled = records.double.length + messages.doubled.length;
    for (const [{ name }, seconds] of times) reportRecovery({ fault: name, lost, doubled, seconds });
    // What is lost explains the failure.
    if (failure !== undefined) throw new Error(JSON.stringify({ records, messages }), { cause: failure });
    expect(records).toEqual(NOTHING_WRONG);
    expect(messages).toEqual(ALL_DELIVERED);
    expect(system.chat.received).toEqual(system.chat.acknowledged);
  });
});
