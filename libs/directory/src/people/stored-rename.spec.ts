import { PeopleList } from './people.js';
import type { PersonNames } from './unique-names.js';
import { currentAddresses, type Rename } from './stored-rename.js';

const names = (user: string, address = user): PersonNames => ({
  username: `${user}@example.test`,
  sipAddress: `sip:${address}@example.test`,
});

const people = (...all: readonly PersonNames[]): PeopleList =>
  new PeopleList(all.map((each) => ({ ...each, name: 'N', phones: {}, roles: ['user'], contacts: [] })));

function rename(from: PersonNames, to: PersonNames, at: number, isEnded = true): Rename {
  return { from, to, at, ...(isEnded ? { endedAt: at + 1 } : {}) };
}

describe('the current address of a person', () => {
  const addressOf = (user: string): string => `sip:${user}@example.test`;

  it('follows a second change of the address, and a rename after it', () => {
    const renames = [
      rename(names('ann', 'b'), names('ann', 'c'), 20),
      rename(names('ann'), names('ann', 'b'), 10),
      rename(names('ann', 'c'), names('eve'), 30),
      rename(names('eve'), names('eva'), 40),
    ];
    const current = currentAddresses({ people: people(names('eva')), renames }, 0);
    expect(['ann', 'b', 'c', 'eve'].map((user) => current(addressOf(user)))).toEqual(
      Array.from({ length: 4 }, () => addressOf('eva')),
    );
  });

  it('is the first one again after a change back', () => {
    const renames = [rename(names('ann'), names('ann', 'b'), 10), rename(names('ann', 'b'), names('ann'), 20)];
    const current = currentAddresses({ people: people(names('ann')), renames }, 0);
    expect([current(addressOf('ann')), current(addressOf('b'))]).toEqual([addressOf('ann'), addressOf('ann')]);
  });

  it('is that of the next owner for what was written since', () => {
    const renames = [rename(names('ann'), names('ann', 'b'), 10)];
    const known = people(names('ann', 'b'), names('eve', 'ann'));
    expect(currentAddresses({ people: known, renames }, 9)(addressOf('ann'))).toBe(addressOf('b'));
    expect(currentAddresses({ people: known, renames }, 12)(addressOf('ann'))).toBe(addressOf('ann'));
  });

  it.each([
    ['not changed before it is stored', 'ann', 'ann'],
    ['changed as soon as it is stored', 'b', 'b'],
  ])('is %s', (_when, stored, expected) => {
    const renames = [rename(names('ann'), names('ann', 'b'), 10, false)];
    const current = currentAddresses({ people: people(names('ann', stored)), renames }, 0);
    expect(current(addressOf('ann'))).toBe(addressOf(expected));
  });
});
