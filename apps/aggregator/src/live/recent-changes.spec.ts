import { start } from '../../test/call-examples.js';
import { fold } from '../calls/fold.js';
import { epochOf, eventIdOf, positionOfEvent } from './live-position.js';
import { RecentChanges, type LiveChange } from './recent-changes.js';

const EPOCH = epochOf('2026-03-04T09:15:27Z');
const { call } = fold([], [start()]);

function change(sequence: number, calls = 1): LiveChange {
  return { position: { epoch: EPOCH, sequence }, calls: Array.from({ length: calls }, () => call) };
}

function recent(more: { calls?: number; characters?: number } = {}): RecentChanges {
  const changes = new RecentChanges({ calls: 100, characters: 1_000, ...more });
  changes.begin({ epoch: EPOCH, sequence: 10 });
  for (const sequence of [11, 12, 13]) changes.add(change(sequence), 10);
  return changes;
}

function since(changes: RecentChanges, sequence: number, epoch = EPOCH): readonly number[] | undefined {
  return changes.since({ epoch, sequence })?.map(({ position }) => position.sequence);
}

describe('the newest changes of calls', () => {
  it('are told from any position on that is known', () => {
    expect(since(recent(), 10)).toEqual([11, 12, 13]);
    expect(since(recent(), 12)).toEqual([13]);
    expect(since(recent(), 13)).toEqual([]);
  });

  it('are not told where something may be missing: too old, not yet known, or of another stream', () => {
    expect(since(recent(), 9)).toBeUndefined();
    expect(since(recent(), 14)).toBeUndefined();
    expect(since(recent(), 12, 'another0')).toBeUndefined();
    expect(since(new RecentChanges({ calls: 1, characters: 1 }), 0)).toBeUndefined();
  });

  it('forget the oldest when there are too many calls or they are too large', () => {
    const many = recent({ calls: 4 });
    many.add(change(14, 3), 10);
    expect(since(many, 12)).toEqual([13, 14]);
    expect(since(many, 11)).toBeUndefined();
    const large = recent({ characters: 40 });
    large.add(change(14), 1_000);
    expect(since(large, 13)).toBeUndefined();
    expect(since(large, 14)).toEqual([]);
  });

  it('begin anew where some were missed', () => {
    const changes = recent();
    changes.begin({ epoch: EPOCH, sequence: 14 });
    expect(since(changes, 13)).toBeUndefined();
    changes.add(change(15), 10);
    expect(since(changes, 14)).toEqual([15]);
    expect(changes.newest).toEqual({ epoch: EPOCH, sequence: 15 });
  });
});

describe('the id of an event', () => {
  it('tells the position, and no other text does', () => {
    const position = { epoch: EPOCH, sequence: 4_711 };
    expect(positionOfEvent(eventIdOf(position))).toEqual(position);
    const others = ['', '1', `${EPOCH}-`, `${EPOCH}--1`, `${EPOCH}-1 `, `${EPOCH}-9999999999999999`, `x${EPOCH}-1`];
    expect(others.map(positionOfEvent)).toEqual(others.map(() => undefined));
  });
});
