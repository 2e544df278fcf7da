import type { ScriptedRecord } from '@ringdown/generated-calls';
import type { CallPlan } from './call-plan.js';
import { ALWAYS_TALKING, Office } from './office.js';
import { demoFrontEnds } from './places.js';
import { planCalls } from './plan-calls.js';
import { beginnings } from './rhythm.js';
import { storyUntil } from './story.js';

const OPENS_AT = new Date(2026, 2, 4, 16, 0).getTime();
const TICK_MS = 250;
const MINUTE = 60_000;

const STORY = storyUntil(OPENS_AT);
const PLANNING = { frontEnds: demoFrontEnds(3), story: STORY, detailsFrom: OPENS_AT };

function officeOf(seed: number): Office {
  return new Office({ ...PLANNING, seed, isLive: true }, OPENS_AT);
}

/** Calls of the past that are still in progress. */
function unfinished(): readonly CallPlan[] {
  const past = { from: OPENS_AT - 20 * MINUTE, to: OPENS_AT, story: STORY };
  return beginnings({ seed: 5, ...past })
    .flatMap((beginning) => planCalls(beginning, { ...PLANNING, isLive: false }))
    .filter(({ invitedAt, outcome }) => invitedAt <= OPENS_AT && outcome.endedAt > OPENS_AT);
}

/** What a system knows that received these records. */
class ReceivedCalls {
  readonly open = new Set<string>();
  readonly ended = new Set<string>();
  private readonly talkers = new Map<string, readonly string[]>();

  receive(records: readonly ScriptedRecord[]): void {
    for (const { record } of records) {
      const { callId } = record.connection;
      for (const event of record.events) {
        if (event.kind === 'invite') this.open.add(callId);
        if (event.kind === 'start') this.talkers.set(callId, [String(event.from?.uri), String(event.to?.uri)]);
        if (event.kind === 'bye' || event.kind === 'error') this.end(callId);
      }
    }
  }

  isTalking(address: string): boolean {
    return [...this.talkers.values()].some((uris) => uris.includes(`sip:${address}`));
  }

  private end(callId: string): void {
    this.open.delete(callId);
    this.talkers.delete(callId);
    this.ended.add(callId);
  }
}

/** Lets the office work by a simulated clock, and looks at the calls after each tick. */
function work(office: Office, minutes: number, look: (received: ReceivedCalls, at: number) => void): ReceivedCalls {
  const received = new ReceivedCalls();
  office.open();
  for (let at = OPENS_AT; at <= OPENS_AT + minutes * MINUTE; at += TICK_MS) {
    office.beginUntil(at);
    received.receive(office.recordsUntil(at));
    office.messagesUntil(at);
    look(received, at);
  }
  return received;
}

describe('the office of the demo', () => {
  it.each([1, 2, 3])('has 30 to 50 calls in progress at any moment of an hour, with seed %i', (seed) => {
    const seen: number[] = [];
    const { ended } = work(officeOf(seed), 60, ({ open }) => seen.push(open.size));
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(30);
    expect(Math.max(...seen)).toBeLessThanOrEqual(50);
    expect(new Set(seen).size).toBeGreaterThan(5);
    expect(ended.size).toBeGreaterThan(200);
  });

  it('always has Alice or Bob on a call, in turn', () => {
    const addresses = ALWAYS_TALKING.map(({ address }) => address);
    expect(addresses).toEqual(['alice@example.test', 'bob@example.test']);
    const talked = new Map(addresses.map((address) => [address, 0]));
    let silent = 0;
    work(officeOf(1), 60, (received) => {
      const talking = addresses.filter((address) => received.isTalking(address));
      if (talking.length === 0) silent++;
      for (const address of talking) talked.set(address, (talked.get(address) ?? 0) + 1);
    });
    expect(silent).toBe(0);
    for (const ticks of talked.values()) expect(ticks * TICK_MS).toBeGreaterThan(10 * MINUTE);
  });

  it('leaves no call open after its end', () => {
    const office = officeOf(4);
    office.continue(unfinished(), OPENS_AT);
    const received = work(office, 3, () => undefined);
    for (const { callId } of unfinished()) if (!received.ended.has(callId)) received.open.add(callId);
    const end = OPENS_AT + 3 * MINUTE + 50;
    office.close(end);
    received.receive(office.recordsUntil(Infinity));
    expect(received.open).toEqual(new Set());
    expect(office.openAt(end)).toBe(0);
  });

  it('ends the calls of the past also when it is interrupted before it opens', () => {
    const office = officeOf(4);
    office.continue(unfinished(), OPENS_AT);
    office.close(OPENS_AT + 50);
    const received = new ReceivedCalls();
    received.receive(office.recordsUntil(Infinity));
    expect(received.ended).toEqual(new Set(unfinished().map(({ callId }) => callId)));
    expect(received.ended.size).toBeGreaterThan(10);
  });
});
