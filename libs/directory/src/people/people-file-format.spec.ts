import { formatPeople, parsePeople } from './people-file-format.js';

const HASH = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21l$aGFzaGhhc2hoYXNoaGFzaA';

const alice = {
  username: 'alice@example.test',
  name: 'Alice Archer',
  sipAddress: 'sip:alice@example.test',
  roles: ['user'],
};

function parse(...people: unknown[]): unknown {
  return parsePeople(JSON.stringify({ people }));
}

describe('a people file', () => {
  it('stores names in lower case and fills in defaults', () => {
    expect(parse({ ...alice, username: 'Alice@Example.test', sipAddress: 'SIP:Alice@example.test' })).toEqual([
      { ...alice, phones: {}, contacts: [] },
    ]);
  });

  it('reads what it writes', () => {
    const people = parsePeople(
      JSON.stringify({
        people: [
          {
            ...alice,
            mail: 'Alice@example.test',
            title: 'Chief',
            phones: { work: '+12025550101' },
            contacts: ['bob@example.test'],
            passwordHash: HASH,
          },
          { ...alice, username: 'bob@example.test', sipAddress: 'sip:bob@example.test' },
        ],
      }),
    );
    expect(parsePeople(formatPeople(people))).toEqual(people);
  });

  it.each<[string, unknown, string]>([
    ['a missing name', { ...alice, name: undefined }, 'people[0].name is missing'],
    [
      'a name of two lines',
      { ...alice, name: 'a\nb' },
      'people[0].name must be a text of 1 to 256 characters on one line',
    ],
    ['an unknown key', { ...alice, tite: 'x' }, 'people[0] has an unknown key "tite"'],
    [
      'a username without domain',
      { ...alice, username: 'alice' },
      'people[0].username must look like user@example.test',
    ],
    [
      'an address without sip:',
      { ...alice, sipAddress: 'alice@x.test' },
      'people[0].sipAddress must start with "sip:"',
    ],
    [
      'an unknown role',
      { ...alice, roles: ['root'] },
      'people[0].roles may hold user, operator, reveal, admin, not "root"',
    ],
    ['no role', { ...alice, roles: [] }, 'people[0].roles must hold at least one of user, operator, reveal'],
    ['a plain password', { ...alice, passwordHash: 'secret' }, 'people[0].passwordHash must be an argon2id hash'],
    ['a national number', { ...alice, phones: { work: '0170' } }, 'people[0].phones.work must be a number like'],
    ['something else than a person', 7, 'people[0] must be an object'],
  ])('with %s is rejected with the place of the error', (_what, person, message) => {
    expect(() => parse(person)).toThrow(message);
  });

  it('is rejected when two people share a name', () => {
    expect(() => parse(alice, { ...alice, username: 'ALICE@example.test', sipAddress: 'sip:a@example.test' })).toThrow(
      'people[1].username alice@example.test is used twice',
    );
  });

  it('that is not JSON is rejected without showing its content', () => {
    expect(() => parsePeople(`{"people": [${HASH}`)).toThrow(/^is not JSON$/);
    expect(() => parsePeople('[]')).toThrow('must contain an object with a list "people"');
    expect(() => parsePeople('{"people":[],"version":2}')).toThrow('has an unknown key "version"');
  });

  it('is rejected with the first problems and the number of further ones', () => {
    expect(() => parse(1, 2, 3, 4, 5)).toThrow(
      'people[0] must be an object; people[1] must be an object; people[2] must be an object; and 2 more',
    );
  });
});
