import { start } from '../../test/call-examples.js';
import type { Call } from '../calls/call.js';
import { fold } from '../calls/fold.js';
import { liveEpoch, liveEventId, positionOfEvent, type LivePosition } from './live-position.js';
import { RecentChanges, PublishedChange } from './recent-changes.js';

const EPOCH = liveEpoch('2026-03-04T09:15:27Z');
const { call } = fold([], [start()]);

/** Each message is stored a second after the one before. */
function at(sequence: number, epoch = EPOCH): LivePosition {
  return { epoch, sequence, storedAt: sequence * 1_000 };
}

function change(sequence: number, calls = 1, characters = 10): PublishedChange {
  return new PublishedChange(at(sequence), at(sequence - 1), characters, () =>
    Array.from({ length: calls }, () => call),
  );
}

function recent(more: { calls?: number; characters?: number } = {}): RecentChanges {
  const changes = new RecentChanges({ calls: 100, characters: 1_000, ...more });
  changes.begin(at(10));
  for (const sequence of [11, 12, 13]) changes.add(change(sequence));
  return changes;
}

function since(changes: RecentChanges, sequence: number, epoch = EPOCH): readonly number[] | undefined {
  return changes.since(at(sequence, epoch))?.map(({ position }) => position.sequence);
}

describe('the newest changes of calls', () => {
  it('are returned from any known position', () => {
    expect(since(recent(), 10)).toEqual([11, 12, 13]);
    expect(since(recent(), 12)).toEqual([13]);
    expect(since(recent(), 13)).toEqual([]);
  });

  it('are not returned when something may be missing: too old, not yet known, or of another stream', () => {
    expect(since(recent(), 9)).toBeUndefined();
    expect(since(recent(), 14)).toBeUndefined();
    expect(since(recent(), 12, 'another0')).toBeUndefined();
    expect(since(new RecentChanges({ calls: 1, characters: 1 }), 0)).toBeUndefined();
  });

  it('are not returned after a message whose number belongs to another message now', () => {
    expect(recent().since({ ...at(12), storedAt: 1 })).toBeUndefined();
    expect(recent().since({ ...at(10), storedAt: 1 })).toBeUndefined();
  });

  it('drop the oldest when there are too many calls or they are too large', () => {
    const many = recent({ calls: 4 });
    many.add(change(14, 3));
    expect(since(many, 12)).toEqual([13, 14]);
    expect(since(many, 11)).toBeUndefined();
    const large = recent({ characters: 40 });
    large.add(change(14, 1, 1_000));
    expect(since(large, 13)).toBeUndefined();
    expect(since(large, 14)).toEqual([]);
  });

  it('are dropped for their number also while they are being read', () => {
    const changes = recent({ calls: 4 });
    since(changes, 10);
    const added = [14, 15].map((sequence) => change(sequence));
    for (const each of added) {
      expect(each.calls).toHaveLength(1);
      changes.add(each);
    }
    expect(since(changes, 10)).toBeUndefined();
    expect(since(changes, 11)).toEqual([12, 13, 14, 15]);
  });

  it('are parsed once, and only on demand', () => {
    const reading: number[] = [];
    const changes = new RecentChanges({ calls: 100, characters: 1_000 });
    changes.begin(at(0));
    for (const sequence of [1, 2, 3]) {
      const read = (): Call[] => {
        reading.push(sequence);
        return [call];
      };
      changes.add(new PublishedChange(at(sequence), at(sequence - 1), 10, read));
    }
    expect(reading).toEqual([]);
    expect(since(changes, 1)).toEqual([2, 3]);
    expect(since(changes, 1)).toEqual([2, 3]);
    expect(reading.toSorted((a, b) => a - b)).toEqual([2, 3]);
  });

  it('are not returned across a message that reports a possible gap, nor are earlier ones afterwards', () => {
    const changes = recent();
    changes.add(change(14, 0));
    changes.add(change(15));
    expect(since(changes, 14)).toEqual([15]);
    expect(since(changes, 13)).toBeUndefined();
    expect(since(changes, 14)).toEqual([15]);
  });

  it('start again after a gap', () => {
    const changes = recent();
    changes.begin(at(14));
    expect(since(changes, 13)).toBeUndefined();
    changes.add(change(15));
    expect(since(changes, 14)).toEqual([15]);
    expect(changes.newest).toEqual(at(15));
  });
});

describe('the id of an event', () => {
  it('contains the position, and no other text is accepted', () => {
    const position = at(4_711);
    expect(positionOfEvent(liveEventId(position))).toEqual(position);
    const others = [
      '',
      '1',
      `${EPOCH}-1`,
      `${EPOCH}-1-`,
      `${EPOCH}-1-A`,
      `${EPOCH}-`,
      `${EPOCH}--1`,
      `${EPOCH}-1 `,
      `${EPOCH}-9999999999999999`,
      `x${EPOCH}-1`,
    ];
    expect(others.map(positionOfEvent)).toEqual(others.map(() => undefined));
  });
});
