import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedMessage, writeRecord } from '@ringdown/xml-schemas';
import type { DiagnosticsRecord, RecordEventKind } from '@ringdown/xml-schemas/record';
import { writeScript, type Script } from './script.js';

const ENDS_AT = Date.UTC(2026, 0, 2, 17);

function script(seed = 1): Script {
  return writeScript({ seed, frontEnds: 2, endsAt: ENDS_AT });
}

function recordedEventKinds(records: readonly DiagnosticsRecord[]): readonly RecordEventKind[] {
  return records.flatMap(({ events }) => [...new Set(events.map(({ kind }) => kind))]);
}

describe('the script of generated calls', () => {
  const day = script();
  const byCall = Map.groupBy(
    day.records.map(({ record }) => record),
    ({ connection }) => connection.callId,
  );

  it('is the same for the same seed and end, and differs for others', () => {
    expect(script()).toEqual(day);
    expect(script(2)).not.toEqual(day);
    const nextDay = writeScript({ seed: 1, frontEnds: 2, endsAt: ENDS_AT + 1 });
    expect(
      byCall.keys().some((callId) => nextDay.records.some((each) => each.record.connection.callId === callId)),
    ).toBe(false);
  });

  it('orders the records of a day by time, and ends the last call before the end of the day', () => {
    const times = day.records.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(day.startsAt);
    expect(times.at(-1)).toBeLessThan(ENDS_AT);
    expect(byCall.size).toBe(day.calls);
  });

  it('contains all kinds of records, from both front ends', () => {
    expect(new Set(recordedEventKinds([...byCall.values()].flat()))).toEqual(
      new Set(['startOrUpdate', 'ended', 'error', 'qualityUpdate']),
    );
    expect(new Set(day.records.map(({ frontEnd }) => frontEnd))).toEqual(
      new Set(['fe01.example.test', 'fe02.example.test']),
    );
  });

  it('lacks the end of exactly one call', () => {
    const withoutEnd = [...byCall.values()].filter((records) => {
      const kinds = recordedEventKinds(records);
      return kinds.includes('startOrUpdate') && !kinds.includes('ended');
    });
    expect(withoutEnd).toHaveLength(1);
  });

  it('contains one call that two front ends report, each by its own clock', () => {
    const twice = [...byCall.values()].filter(
      (records) => new Set(records.flatMap(({ connection }) => connection.frontEnds)).size === 2,
    );
    expect(twice).toHaveLength(1);
    const ends = twice[0]?.filter(({ events }) => events.some(({ kind }) => kind === 'ended')) ?? [];
    expect(new Set(ends.map(({ connection }) => connection.timeStamp)).size).toBe(2);
  });

  it('contains rejected calls, with status and diagnostics', () => {
    const rejected = [...byCall.values()].filter((records) => recordedEventKinds(records)[0] === 'error');
    expect(rejected.length).toBeGreaterThan(2);
    const events = rejected.flat().flatMap((record) => record.events.filter((event) => event.kind === 'error'));
    expect(events.map(({ responseCode }) => responseCode?.code)).toContain(403);
    expect(events.every(({ diagnostics }) => /^\d+;reason=.+;source=/.test(diagnostics?.text ?? ''))).toBe(true);
  });

  it('contains quality reports with values beyond their limits', () => {
    const metrics = day.records
      .flatMap(({ record }) => record.events)
      .flatMap((event) => (event.kind === 'qualityUpdate' ? Object.entries(event.metrics) : []));
    const beyond = metrics.filter(([name, { value, limit }]) => {
      return name !== 'RecvFrameRateAverage' && limit !== undefined && Number(value) > limit;
    });
    expect(beyond.length).toBeGreaterThan(5);
  });

  it('is the same when it is read back from its XML', () => {
    for (const { record } of day.records) {
      const read = readFeedMessage(writeRecord(record, defaultProfile), defaultProfile);
      expect(read).toMatchObject({ kind: 'record', record: { connection: record.connection } });
    }
  });
});
