import type { Contact, Group } from '../web-interface/index.js';
import { contactRoster } from './roster.js';
import { initials, presenceWords } from './display-words.js';

function contact(name: string): Contact {
  return { href: `/${name}`, name } as Contact;
}

function group(rel: Group['rel'], id: string): Group {
  return { rel, id, href: `/groups/${id}` } as Group;
}

describe('the roster', () => {
  it('lists pinned people first, and people without a group last, each by name', () => {
    const groups = [group('pinnedGroup', 'pinned'), group('defaultGroup', 'default'), group('group', 'team')];
    const memberships = [
      { href: '/1', contact: '/Zoë', group: '/groups/team' },
      { href: '/2', contact: '/Ann', group: '/groups/team' },
      { href: '/3', contact: '/Ann', group: '/groups/pinned' },
      { href: '/4', contact: '/Gone', group: '/groups/team' },
    ];
    const { sections } = contactRoster([contact('Zoë'), contact('Ann')], groups, memberships);
    expect(sections.map((section) => [section.group.id, section.people.map((each) => each.contact.name)])).toEqual([
      ['pinned', ['Ann']],
      ['team', ['Ann', 'Zoë']],
      ['default', []],
    ]);
  });
});

describe('display words', () => {
  it.each([
    [{ availability: 'Busy', activity: 'on-the-phone' } as const, 'In a call'],
    [{ availability: 'Away', activity: 'off-work' } as const, 'Off work'],
    [{ availability: 'IdleOnline', activity: 'Inactive' } as const, 'Inactive'],
    [{ availability: 'DoNotDisturb', activity: 'Nicht stören' } as const, 'Do not disturb'],
    [undefined, 'Not known yet'],
  ])('describe %j as %s', (presence, words) => {
    expect(presenceWords(presence)).toBe(words);
  });

  it.each([
    ['Alice Archer', 'AA'],
    ['Zoë', 'Z'],
    ['Ana María de la Cruz', 'AC'],
    ['', ''],
  ])('shorten the name %j to the initials %j', (name, letters) => {
    expect(initials(name)).toBe(letters);
  });
});
