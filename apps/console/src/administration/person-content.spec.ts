import { contentIn } from './person-content.js';

function form(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

describe('the content of the form of a person', () => {
  it('has only what was filled in', () => {
    const typed = form({ username: ' zoe@example.test ', name: 'Zoe', title: ' ', 'phone.work': '', contacts: '\n' });
    expect(contentIn(typed)).toEqual({
      username: 'zoe@example.test',
      name: 'Zoe',
      phones: {},
      roles: [],
      contacts: [],
      blocked: false,
    });
  });

  it('has numbers without signs between digits, roles, and contacts by line or word', () => {
    const typed = form({
      username: 'z@example.test',
      name: 'Z',
      'phone.work': '+1 (202) 555-0100',
      contacts: 'a@example.test\n b@example.test, c@example.test',
    });
    typed.append('role', 'operator');
    typed.append('role', 'admin');
    typed.append('role', 'root');
    expect(contentIn(typed, true)).toMatchObject({
      phones: { work: '+12025550100' },
      roles: ['operator', 'admin'],
      contacts: ['a@example.test', 'b@example.test', 'c@example.test'],
      blocked: true,
    });
  });
});
