import type { Person } from '@ringdown/directory';
import { UpdatableIndex } from './updatable-index.js';
import { atOnce } from './sliced.js';

const COUNT = 5_000;
const FIRST = ['Ann', 'Bob', 'Zoë', 'José', 'Müller'];
const LAST = ['Smith', 'Smithson', 'Åberg', '山田', "O'Brien", 'Smith'];

function person(number: number, more: Partial<Person> = {}): Person {
  const username = `p${number}@example.test`;
  const name = `${FIRST[number % FIRST.length]} ${LAST[number % LAST.length]}`;
  const phones = { work: `+1202555${String(number).padStart(4, '0')}` };
  return { username, name, sipAddress: `sip:${username}`, phones, roles: ['user'], contacts: [], ...more };
}

const everyone = Array.from({ length: COUNT }, (_, number) => person(number));
const QUERIES = [
  'smith',
  'smi',
  'ann',
  'ann smith',
  'p1',
  'p17',
  'example',
  '0017',
  'obrien',
  'chief',
  'new',
  'nobody',
  '',
];

function indexOf(people: readonly Person[]): UpdatableIndex {
  return atOnce(UpdatableIndex.of(people));
}

describe('an index that follows the directory', () => {
  const index = indexOf(everyone);

  it.each<[string, (people: Person[]) => readonly Person[]]>([
    ['nothing', (people) => people],
    ['a new person', (people) => [...people, person(COUNT), person(COUNT + 1, { name: 'Aaron New' })]],
    ['a person who has left', (people) => people.filter((_, at) => at !== 17)],
    ['many people who have left', (people) => people.filter((_, at) => at % 3 > 0)],
    [
      'a new name and a new title',
      (people) => people.with(17, person(17, { name: 'Chief New' })).with(1, person(1, { title: 'Chief' })),
    ],
    ['the same people as other objects', (people) => people.map((each, at) => (at % 5 === 0 ? { ...each } : each))],
    ['another username', (people) => people.with(17, { ...person(17), username: 'other@example.test' })],
    ['a complete replacement', () => Array.from({ length: 40 }, (_, number) => person(9_000 + number))],
    ['a removal of all people', () => []],
  ])('finds after %s what a new index of these people finds', (_what, change) => {
    const now = change([...everyone]);
    const followed = atOnce(index.updated(now));
    const rebuilt = indexOf(now);
    for (const query of QUERIES) {
      for (const limit of [1, 7, 100]) {
        expect([query, followed.search({ query }, limit)]).toEqual([query, rebuilt.search({ query }, limit)]);
      }
    }
    const mail = 'p17@example.test';
    expect(followed.search({ mail }, 5)).toEqual(rebuilt.search({ mail }, 5));
  });

  it('follows one change after another, and back', () => {
    const renamed = everyone.with(3, person(3, { name: 'Quentin' }));
    const once = atOnce(index.updated(renamed));
    const twice = atOnce(once.updated(renamed.with(4, person(4, { name: 'Quentin' }))));
    const found = (followed: UpdatableIndex): number => followed.search({ query: 'quentin' }, 9).people.length;
    expect([once, twice, atOnce(twice.updated(everyone))].map((each) => found(each))).toEqual([1, 2, 0]);
  });

  it('rebuilds only a small part for few changes', () => {
    let steps = 0;
    const work = index.updated(everyone.with(3, person(3, { name: 'Quentin' })));
    while (work.next().done !== true) steps++;
    let rebuildSteps = 0;
    const rebuilt = UpdatableIndex.of(everyone);
    while (rebuilt.next().done !== true) rebuildSteps++;
    expect(steps).toBeLessThan(rebuildSteps / 10);
  });
});
