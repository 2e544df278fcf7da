import { eventually } from '@ringdown/testing/eventually';
import { runPeople } from '../../src/people.js';
import { system } from './system.js';

const robbed = system.addPerson('robbed', 'operator');
const bystander = system.addPerson('bystander');
const leaver = system.addPerson('leaver');
// Passwords are guessed under all spellings of one name.
system.addPerson('anna');

async function createEventsPath(token: string): Promise<string> {
  const user = await system.client.as(token, '/uc/discovery/user');
  const body = JSON.stringify({ culture: 'en-US', endpointId: 'thief', UserAgent: 'thief' });
  const headers = { 'content-type': 'application/json' };
  const created = await system.client.as(token, linkPath(user.text, 'applications'), { method: 'POST', headers, body });
  return linkPath(created.text, 'events');
}

function linkPath(resource: string, name: string): string {
  const { href } = Object(Object(Object(JSON.parse(resource))['_links'])[name]);
  if (typeof href !== 'string') throw new Error(`no link ${name} in ${resource}`);
  return href.replace(/^https:\/\/[^/]+/, '');
}

async function guess(username: string, password: string): Promise<number> {
  return (await system.client.requestToken(username, password)).status;
}

describe('an attacker with a stolen token', () => {
  it('loses access, open streams and polls within seconds after the owner has set a new password', async () => {
    const [stolen, others] = [await system.tokenOf(robbed), await system.tokenOf(bystander)];
    const events = await createEventsPath(stolen);
    const stream = system.client.as(stolen, '/api/calls/stream').then(
      () => 'ended in order',
      () => 'reset',
    );
    const poll = system.client.as(stolen, `${events}&timeout=600`);
    expect((await system.client.as(stolen, '/api/calls')).status).toBe(200);
    await runPeople(system.data, 'set-password', robbed);
    // An answer that is under way at that moment is reset, as the stream is.
    const isRefused = (): Promise<boolean> =>
      system.client.as(stolen, '/api/calls').then(
        ({ status }) => status === 401,
        () => false,
      );
    await eventually('the end of the token', isRefused);
    // What waited to be sent is not sent any more.
    expect(await stream).toBe('reset');
    expect((await poll).status).toBe(401);
    expect((await system.client.as(stolen, events)).status).toBe(401);
    expect((await system.client.as(others, '/uc/discovery/user')).status).toBe(200);
  });

  it('loses access within seconds after the owner was removed', async () => {
    const stolen = await system.tokenOf(leaver);
    const poll = system.client.as(stolen, `${await createEventsPath(stolen)}&timeout=600`);
    await runPeople(system.data, 'remove', leaver);
    await eventually(
      'the end of the token',
      async () => (await system.client.as(stolen, '/uc/discovery/user')).status === 401,
    );
    expect((await poll).status).toBe(401);
  });
});

describe('an attacker who guesses passwords', () => {
  it('has ten guesses for an account over all spellings of its name', async () => {
    const letters = ['a', 'A', 'ａ', 'Ａ', 'ⓐ', 'Ⓐ', '𝐚', '𝒜', '𝔞', '𝕒', '𝖆', '𝙖', '𝚊', 'ᵃ', 'ₐ'];
    const answers: number[] = [];
    for (const letter of letters) answers.push(await guess(`${letter}nna@example.test`, 'wrong'));
    expect(answers).toEqual(letters.map((_letter, at) => (at < 10 ? 400 : 429)));
    const { password } = await system.client.firstUser('alice');
    expect(await guess('ⓐⓝⓝⓐ＠example.test', password)).toBe(429);
  });
});
