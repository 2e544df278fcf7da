import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedMessage, writeRecord } from '@ringdown/xml-schemas';
import type { RecordEventKind } from '@ringdown/xml-schemas/record';
import { endedNow, type CallPlan } from './call-plan.js';
import { plannedMessages } from './call-messages.js';
import { plannedRecords } from './call-records.js';
import type { Metrics } from './measurements.js';
import { demoFrontEnds } from './places.js';
import { planCalls } from './plan-calls.js';
import { beginnings } from './rhythm.js';
import { storyUntil } from './story.js';

/** A Wednesday, by the clock of this machine. */
const NOW = new Date(2026, 2, 4, 16, 0).getTime();
const HOUR = 3_600_000;
const STORY = storyUntil(NOW);
const FROM = new Date(2026, 2, 3).getTime();

function plansOf(seed: number, from = FROM): readonly CallPlan[] {
  const options = { frontEnds: demoFrontEnds(3), story: STORY, isLive: false, detailsFrom: NOW - HOUR };
  return beginnings({ seed, from, to: NOW, story: STORY }).flatMap((beginning) => planCalls(beginning, options));
}

function plannedEventKinds(plan: CallPlan): readonly RecordEventKind[] {
  return plannedRecords(plan, STORY).flatMap(({ record }) => [...new Set(record.events.map(({ kind }) => kind))]);
}

/** Of the final reports on audio. */
function qualityMetrics(plans: readonly CallPlan[]): readonly { readonly metrics: Metrics }[] {
  const events = plans.flatMap((plan) => plannedRecords(plan, STORY)).flatMap(({ record }) => record.events);
  return events.flatMap((event) =>
    event.kind === 'qualityUpdate' && event.mediaType === 'audio' ? { metrics: event.metrics } : [],
  );
}

function plannedFirstLines(plan: CallPlan): readonly string[] {
  return plannedMessages(plan).map(
    ({ payload }) => Buffer.from(payload, 'base64').toString().split('\r\n', 1)[0] ?? '',
  );
}

describe('the calls of the demo', () => {
  const plans = plansOf(1);
  const talks = plans.filter(({ outcome }) => outcome.kind === 'talk');
  const of = (hasIt: (plan: CallPlan) => unknown): CallPlan => {
    const found = plans.find(hasIt);
    if (found === undefined) throw new Error('no such call in the demo');
    return found;
  };

  it('are the same with the same seed, and others with another', () => {
    expect(plansOf(1)).toEqual(plans);
    expect(
      new Set(plansOf(2).map(({ callId }) => callId)).intersection(new Set(plans.map(({ callId }) => callId))),
    ).toEqual(new Set());
  });

  it('have the same ids in a run that begins later', () => {
    const later = plansOf(1, FROM + 12 * HOUR).map(({ callId }) => callId);
    expect(plans.slice(-later.length).map(({ callId }) => callId)).toEqual(later);
  });

  it('follow the hours of an office', () => {
    const between = (from: number, to: number): number =>
      plans.filter(({ invitedAt }) => invitedAt >= FROM + from * HOUR && invitedAt < FROM + to * HOUR).length;
    expect(between(0, 5)).toBeLessThan(between(7, 8));
    expect(between(7, 8)).toBeLessThan(between(9, 10));
    expect(between(12, 13)).toBeLessThan(between(10, 11));
    expect(between(20, 24)).toBeLessThan(between(14, 15));
    expect(plans.length).toBeGreaterThan(1_000);
  });

  it('fail for each reason that an operator knows, with diagnostics', () => {
    const codes = new Set(plans.flatMap(({ outcome }) => (outcome.kind === 'failed' ? [outcome.failure.code] : [])));
    expect([...codes].sort((a, b) => a - b)).toEqual([404, 408, 480, 486, 487, 503]);
    const failed = plans.flatMap((plan) => (plan.outcome.kind === 'failed' ? plannedRecords(plan, STORY) : []));
    expect(failed.map(({ record }) => record.events[0]?.kind)).toEqual(expect.arrayContaining(['invite', 'error']));
  });

  it('tell the story of a trunk that answers 503 for ten minutes, and of a bad access point', () => {
    const rejected = plans.filter(({ outcome }) => outcome.kind === 'failed' && outcome.failure.code === 503);
    const during = rejected.filter(({ invitedAt }) => invitedAt >= STORY.trunk.from && invitedAt < STORY.trunk.to);
    expect(during.length).toBeGreaterThan(20);
    expect(during.length).toBeGreaterThan(rejected.length / 2);
    const loss = (from: number, to: number): number => {
      const rates = talks
        .filter(
          ({ invitedAt, caller }) =>
            invitedAt >= from &&
            invitedAt < to &&
            caller.kind === 'person' &&
            caller.person.accessPoint?.bssid === '9C-3D-CF-20-03-0C',
        )
        .flatMap((plan) => plannedRecords(plan, STORY).at(-1)?.record.events ?? [])
        .flatMap((event) =>
          event.kind === 'qualityUpdate' ? Number(event.metrics['PacketLossRate']?.value ?? 0) : [],
        );
      return Math.max(0, ...rates);
    };
    const { from, to } = STORY.accessPoint;
    expect(loss(from, to - 20 * 60_000)).toBeGreaterThan(0.05);
  });

  it('have an echo of one headset, which is judged', () => {
    const values = qualityMetrics(talks).flatMap(({ metrics }) =>
      metrics['CaptureDevice']?.value === 'Sonora 210 USB'
        ? Number(metrics['DeviceHalfDuplexAECEventRatio']?.value)
        : [],
    );
    expect(values.length).toBeGreaterThan(20);
    expect(Math.min(...values)).toBeGreaterThan(0.1);
    expect(values.some((value) => value > 0.3)).toBe(true);
  });

  it('are one-way now and then over one trunk: nothing arrives of what its side sends', () => {
    const ofTrunk = talks.filter(({ caller, callee }) =>
      [caller, callee].some((side) => side.kind === 'outside' && side.trunk.name === 'bayline-boston'),
    );
    const heard = ofTrunk.map((plan) =>
      qualityMetrics([plan]).map(({ metrics }) => Number(metrics['PacketUtilization']?.value)),
    );
    const oneWay = heard.filter((packets) => packets.includes(0));
    expect(oneWay.length).toBeGreaterThan(2);
    expect(oneWay.length).toBeLessThan(ofTrunk.length / 3);
    expect(oneWay.every((packets) => packets.some((count) => count > 0))).toBe(true);
    const others = talks.filter((plan) => !ofTrunk.includes(plan));
    expect(qualityMetrics(others).filter(({ metrics }) => metrics['PacketUtilization']?.value === 0)).toEqual([]);
  });

  it('have transfers whose next call names the one that it replaces', () => {
    const replacing = of(({ replaces }) => replaces);
    const [replaced] = replacing.replaces?.split(';') ?? [];
    expect(of(({ callId }) => callId === replaced).conversationId).toBe(replacing.conversationId);
    const before = of(({ outcome }) => outcome.kind === 'talk' && outcome.transfer);
    expect(plannedFirstLines(before)).toContainEqual(expect.stringMatching(/^REFER sip:/));
    expect(plans.filter(({ conferenceId }) => conferenceId !== undefined).length).toBeGreaterThan(5);
  });

  it('are read back from their XML as they were written', () => {
    for (const { record } of plans.slice(0, 200).flatMap((plan) => plannedRecords(plan, STORY))) {
      const { version, connection } = record;
      expect(readFeedMessage(writeRecord(record, defaultProfile), defaultProfile)).toMatchObject({
        kind: 'record',
        record: { version, connection },
      });
    }
  });

  it('have messages of both hops in the order of their times', () => {
    const plan = of(({ outcome, isDetailed }) => outcome.kind === 'talk' && isDetailed);
    const times = plannedMessages(plan).map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(plannedFirstLines(plan).slice(0, 3)).toEqual([
      expect.stringMatching(/^INVITE /),
      'SIP/2.0 100 Trying',
      expect.stringMatching(/^INVITE /),
    ]);
    expect(plannedFirstLines(plan).filter((line) => line.startsWith('BYE'))).toHaveLength(2);
  });

  it('end now when they are stopped: hung up after the answer, cancelled before', () => {
    const plan = of(({ outcome }) => outcome.kind === 'talk' && outcome.endedAt - outcome.answeredAt > 60_000);
    const { outcome, invitedAt } = plan;
    const answeredAt = outcome.kind === 'talk' ? outcome.answeredAt : 0;
    expect(plannedEventKinds(endedNow(plan, answeredAt + 30_000)).slice(-2)).toEqual(['bye', 'qualityUpdate']);
    expect(plannedEventKinds(endedNow(plan, invitedAt + 10))).toEqual(['invite', 'error']);
    expect(plannedFirstLines({ ...endedNow(plan, invitedAt + 1_500), isDetailed: true })).toContainEqual(
      expect.stringMatching(/^CANCEL /),
    );
    expect(endedNow(plan, outcome.endedAt)).toBe(plan);
  });
});
