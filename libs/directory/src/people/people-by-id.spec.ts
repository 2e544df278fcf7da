import type { Person } from './person.js';
import { PeopleById } from './people-by-id.js';

function person(user: string, sip = user, more: Partial<Person> = {}): Person {
  return {
    username: `${user}@example.test`,
    name: user,
    sipAddress: `sip:${sip}@example.test`,
    phones: {},
    roles: ['user'],
    contacts: [],
    ...more,
  };
}

describe('the people of an LDAP directory', () => {
  it('are found by username and by SIP address, in any case', () => {
    const people = new PeopleById();
    people.put('1', person('ann', 'ann.lee'));
    expect(people.withUsername('ANN@example.test')).toBe(people.get('1'));
    expect(people.withSipAddress('SIP:Ann.Lee@example.test')).toBe(people.get('1'));
    expect(people.withSipAddress('ann.lee@example.test')).toBe(people.get('1'));
    expect(people.withUsername('ann.lee@example.test')).toBeUndefined();
    expect(people.withSipAddress('ann@example.test')).toBeUndefined();
  });

  it('stay the same objects while they do not change', () => {
    const people = new PeopleById();
    expect(people.put('1', person('ann'))).toBe(true);
    const before = people.get('1');
    expect(people.put('1', person('ann'))).toBe(false);
    expect(people.get('1')).toBe(before);
    expect(people.put('1', person('ann', 'ann', { title: 'Chief' }))).toBe(true);
    expect(people.withUsername('ann@example.test')).toMatchObject({ title: 'Chief' });
  });

  it('lose their old names when they are renamed or removed', () => {
    const people = new PeopleById();
    people.put('1', person('ann'));
    people.put('1', person('anna', 'ann'));
    expect(people.withUsername('ann@example.test')).toBeUndefined();
    expect(people.withSipAddress('ann@example.test')).toBe(people.get('1'));
    people.remove('1');
    people.remove('1');
    expect([people.size, people.all, people.withSipAddress('ann@example.test')]).toEqual([0, [], undefined]);
  });

  it.each([
    ['username', person('twin', 'b')],
    ['address', person('b', 'twin')],
  ])('with the same %s are left out except the first by id, in any order', (_what, other) => {
    for (const ids of [
      ['1', '2'],
      ['2', '1'],
    ]) {
      const people = new PeopleById();
      for (const id of ids) people.put(id, id === '1' ? person('twin') : other);
      expect(people.all).toEqual([person('twin')]);
      expect([...people.duplicates]).toEqual([other]);
      expect(people.withUsername('twin@example.test')).toBe(people.get('1'));
      expect(people.withUsername('b@example.test')).toBeUndefined();
      expect(people.withSipAddress('b@example.test')).toBeUndefined();
      people.remove('1');
      expect(people.all).toEqual([other]);
      expect([...people.duplicates]).toEqual([]);
    }
  });

  it('are found again when a conflict about a name ends', () => {
    const people = new PeopleById();
    for (const id of ['1', '2', '3']) people.put(id, person('same'));
    expect(people.all).toHaveLength(1);
    people.put('1', person('first'));
    expect(people.withUsername('same@example.test')).toBe(people.get('2'));
    people.put('2', person('second'));
    expect(people.all).toHaveLength(3);
    expect(people.withUsername('same@example.test')).toBe(people.get('3'));
  });

  it('equal the people in a list after any number of changes', () => {
    const people = new PeopleById();
    const plain = new Map<string, Person>();
    let state = 7;
    const dice = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let step = 0; step < 4_000; step++) {
      const id = String(dice(40)).padStart(2, '0');
      if (dice(4) === 0) {
        people.remove(id);
        plain.delete(id);
      } else {
        const next = person(`u${dice(30)}`, `u${dice(30)}`);
        people.put(id, next);
        plain.set(id, next);
      }
      if (step % 50 !== 0) continue;
      const expected = [...plain].filter(([mine, { username, sipAddress }]) =>
        [...plain].every(([other, person]) => {
          const names = new Set([person.username, person.sipAddress.slice(4)]);
          return other >= mine || !(names.has(username) || names.has(sipAddress.slice(4)));
        }),
      );
      expect(new Set(people.all)).toEqual(new Set(expected.map(([, person]) => person)));
      for (const [id, { username, sipAddress }] of expected) {
        expect(people.withUsername(username)).toBe(people.get(id));
        expect(people.withSipAddress(sipAddress)).toBe(people.get(id));
      }
    }
  });
});
