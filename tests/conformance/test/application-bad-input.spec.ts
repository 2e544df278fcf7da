import { json, type Answer } from '../src/answer.js';
import { createSession, type Session } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

const JSON_BODY = { 'content-type': 'application/json' };

describe('applications and people with wrong requests', () => {
  const client = new WebClient();
  const { user } = client.system;
  let session: Session;

  beforeAll(async () => {
    session = await createSession(client, user, unique('bad-'));
  });
  afterAll(() => client.close());

  const search = (parameters: string): Promise<Answer> =>
    client.call('searchPeople', { url: `${session.search}?${parameters}`, token: session.token });

  /** Checks that the next good request works. */
  afterEach(async () => {
    expect((await search('query=a')).status).toBe(200);
  });

  it.each<[string, Record<string, string>, string, number, string]>([
    ['nothing', JSON_BODY, '', 400, 'ParameterValidationFailure'],
    ['invalid JSON', JSON_BODY, '{"culture":', 400, 'DeserializationFailure'],
    ['a list', JSON_BODY, '[]', 400, 'DeserializationFailure'],
    ['a missing parameter', JSON_BODY, '{"culture":"en","endpointId":"e"}', 400, 'ParameterValidationFailure'],
    ['a number', JSON_BODY, '{"culture":1,"endpointId":"e","userAgent":"u"}', 400, 'ParameterValidationFailure'],
    ['a blank', JSON_BODY, '{"culture":"","endpointId":"e","userAgent":"u"}', 400, 'ParameterValidationFailure'],
    [
      'an endless text',
      JSON_BODY,
      `{"culture":"en","endpointId":"${'e'.repeat(101)}","userAgent":"u"}`,
      400,
      'ParameterValidationFailure',
    ],
    [
      'an unknown type',
      JSON_BODY,
      '{"culture":"en","endpointId":"e","userAgent":"u","type":"Toaster"}',
      400,
      'ParameterValidationFailure',
    ],
    ['deep nesting', JSON_BODY, '['.repeat(50_000), 400, 'DeserializationFailure'],
    [
      'broken XML',
      { 'content-type': 'application/xml' },
      '<input><property name="culture">',
      400,
      'DeserializationFailure',
    ],
    ['a DTD', { 'content-type': 'text/xml' }, '<!DOCTYPE x [<!ENTITY e "e">]><input/>', 400, 'DeserializationFailure'],
    ['plain text', { 'content-type': 'text/plain' }, 'culture=en', 415, 'UnsupportedMediaType'],
    ['300 KB', JSON_BODY, JSON.stringify({ culture: 'x'.repeat(300_000) }), 413, 'EntityTooLarge'],
    ['10 MB', JSON_BODY, JSON.stringify({ culture: 'x'.repeat(10_000_000) }), 413, 'EntityTooLarge'],
    ['only images', { ...JSON_BODY, accept: 'image/png' }, '{}', 406, 'NotAcceptable'],
  ])('creating an application from %s is rejected', async (_what, headers, body, status, reason) => {
    const { applications, token } = session;
    const answer = await client.call('createApplication', { method: 'POST', url: applications, token, headers, body });
    const { code, subcode } = Object(json(answer));
    expect([answer.status, subcode ?? code]).toEqual([status, reason]);
  });

  it.each(['', 'query=', 'query=%20', 'limit=5', 'query=a&query=b', `query=${'a'.repeat(257)}`])(
    'a search without exactly one valid query is rejected (%#)',
    async (parameters) => {
      const answer = await search(parameters);
      expect(json(answer)).toMatchObject({ code: 'BadRequest', subcode: 'ParameterValidationFailure' });
    },
  );

  it.each(['0', '-1', '101', '1.5', 'many', '', '99999999999999999999'])(
    'a limit of "%s" is rejected',
    async (limit) => {
      const answer = await search(`query=a&limit=${limit}`);
      expect(json(answer)).toMatchObject({ parameters: [{ name: 'limit' }] });
    },
  );

  it.each(['%', "'", '"', '<', '*', '\\', '%00', '%F0%9F%98%80', '(.*)*', '../..', '--'])(
    'a search for the character %s is only a search',
    async (sign) => {
      const query = /^%[0-9A-F]/.test(sign) ? sign : encodeURIComponent(sign);
      const answer = await search(`query=${query}`);
      expect(answer.status).toBe(200);
    },
  );

  // No id that was ever issued has this form; some would be wildcards or break the order of keys in a store.
  it.each(['%7B%7D', '%00', '*', '%3E', 'a.', '..a', 'sip%3Aa%40b', '%F0%9F%98%80', '__proto__', 'x'.repeat(500)])(
    'a conversation, an invitation or another resource with the id "%s" is not found',
    async (id) => {
      const { self, token } = session;
      const communication = `${self}/communication`;
      const responses = await Promise.all([
        client.call('readConversation', { url: `${communication}/conversations/${id}`, token }),
        client.call('readMessagingInvitation', { url: `${communication}/messagingInvitations/${id}`, token }),
        client.call('acceptMessaging', {
          method: 'POST',
          url: `${communication}/messagingInvitations/${id}/accept`,
          token,
        }),
        client.call('stopMessaging', {
          method: 'POST',
          url: `${communication}/conversations/${id}/messaging/terminate`,
          token,
        }),
        client.call('readGroup', { url: `${self}/people/groups/${id}`, token }),
        client.call('readMyOnlineMeeting', { url: `${self}/onlineMeetings/myOnlineMeetings/${id}`, token }),
      ]);
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
    },
  );
});
