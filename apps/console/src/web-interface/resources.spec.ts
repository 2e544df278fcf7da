import { UnexpectedAnswer } from './errors.js';
import { readInvitation, readMessage, readMessaging, textOfDataUri } from './messaging-resources.js';
import { readContact, readGroup, readMembership, readPresence } from './people-resources.js';
import { JsonReader } from './json-reader.js';

function links(hrefs: Record<string, string>): object {
  return Object.fromEntries(Object.entries(hrefs).map(([rel, href]) => [rel, { href }]));
}

function reading(value: object): JsonReader {
  return new JsonReader(value, 'resource');
}

describe('textOfDataUri', () => {
  it.each([
    ['data:text/plain;charset=utf-8,Hi+Tosh%0d%0a', 'Hi Tosh\r\n'],
    ['data:text/plain,1+%2B+1,2', '1 + 1,2'],
    ['data:text/plain,', ''],
    ['data:text/html;charset=utf-8,%3Cb%3E', '<b>'],
    ['data:text/plain;charset=utf-8,%F0%9F%91%8B', '👋'],
  ])('is read from %s', (uri, text) => {
    expect(textOfDataUri(uri)).toBe(text);
  });

  it.each(['', 'text', 'data:image/png;base64,AA', 'data:text/plain,%E0%A4%A'])('rejects %j', (uri) => {
    expect(() => textOfDataUri(uri)).toThrow(UnexpectedAnswer);
  });
});

describe('resources of people', () => {
  const contact = {
    name: 'Bob',
    uri: 'sip:bob@example.test',
    emailAddresses: ['bob@example.test'],
    office: '4.12',
    mobilePhoneNumber: 'tel:+15550',
    _links: links({ self: '/b', contactPhoto: '/p', contactPresence: '/a', contactNote: '/n', contactLocation: '/l' }),
  };

  it('contain the details of a person', () => {
    expect(readContact(reading(contact))).toEqual({
      rel: 'contact',
      uri: 'sip:bob@example.test',
      name: 'Bob',
      mail: 'bob@example.test',
      office: '4.12',
      phones: [{ kind: 'mobile', number: '+15550' }],
      href: '/b',
      links: { photo: '/p', presence: '/a', note: '/n', location: '/l' },
    });
  });

  it('contain presence', () => {
    const presence = { availability: 'Busy', activity: 'on-the-phone', lastActive: '/Date(5)/' };
    expect(readPresence(reading(presence))).toEqual({ availability: 'Busy', activity: 'on-the-phone', lastActive: 5 });
    expect(() => readPresence(reading({ ...presence, availability: 'Asleep' }))).toThrow(UnexpectedAnswer);
  });

  it('distinguish groups that can be changed from those that cannot', () => {
    const group = {
      id: '1',
      name: 'Team',
      rel: 'group',
      etag: '7',
      _links: links({ self: '/1', groupContacts: '/c' }),
    };
    const token = '1b4e28ba-2fa1-11d2-883f-0016d3cca427';
    expect(readGroup(reading({ ...group, [token]: 'please pass this in a PUT request' })).putToken).toBe(token);
    expect(readGroup(reading({ ...group, rel: 'pinnedGroup' }))).not.toHaveProperty('putToken');
  });

  it.each(['group', 'defaultGroup', 'pinnedGroup'])('contain the membership of a contact in a %s', (rel) => {
    const membership = { _links: links({ self: '/m', contact: '/b', [rel]: '/1' }) };
    expect(readMembership(reading(membership))).toEqual({ href: '/m', contact: '/b', group: '/1' });
  });
});

describe('resources of conversations', () => {
  const from = { name: 'Bob', uri: 'sip:bob@example.test', _links: links({ self: '/p' }) };
  const invitation = { direction: 'Incoming', state: 'Connecting', _embedded: { from } };
  const common = { self: '/i', conversation: '/c' };

  it('contain the links and the message of an invitation', () => {
    const open = { ...common, accept: '/i/a', decline: '/i/d', message: 'data:text/plain,Hi' };
    expect(readInvitation(reading({ ...invitation, _links: links(open) }))).toMatchObject({
      direction: 'Incoming',
      from: { uri: 'sip:bob@example.test' },
      answers: { accept: '/i/a', decline: '/i/d' },
      text: 'Hi',
    });
  });

  it('have no answer links for an answered invitation', () => {
    expect(readInvitation(reading({ ...invitation, _links: links(common) }))).not.toHaveProperty('answers');
  });

  it('recognise an outgoing invitation', () => {
    const own = { direction: 'Outgoing', state: 'Failed', operationId: 'o', _links: links({ ...common, to: '/b' }) };
    expect(readInvitation(reading(own))).toMatchObject({ direction: 'Outgoing', operationId: 'o', to: '/b' });
  });

  it('contain only the possible actions', () => {
    const messaging = { state: 'Connecting', _links: links({ self: '/m', conversation: '/c', stopMessaging: '/s' }) };
    expect(readMessaging(reading(messaging)).links).toEqual({ stop: '/s' });
  });

  it('contain the text of incoming messages', () => {
    const message = { direction: 'Incoming', timeStamp: '/Date(9)/' };
    const shown = links({ self: '/1', messaging: '/m', plainMessage: 'data:text/plain,a+b' });
    expect(readMessage(reading({ ...message, _links: shown }))).toMatchObject({ at: 9, text: 'a b' });
    const own = links({ self: '/1', messaging: '/m' });
    expect(readMessage(reading({ ...message, _links: own }))).not.toHaveProperty('text');
  });
});
