import { partyKey } from '../call-keys.js';
import { PARTY_LIMIT, PartyTable } from './party-table.js';

describe('the endpoints of a call', () => {
  it('are completed, and known values are never overwritten by absent ones', () => {
    const table = new PartyTable([
      { id: 'A1', uri: 'sip:anna@example.test' },
      { id: 'a1', epId: 'e1', contact: 'sip:c' },
      { uri: 'SIP:Anna@example.test', vpn: true },
    ]);
    expect(table.parties()).toEqual([
      { id: 'a1', epId: 'e1', uri: 'SIP:Anna@example.test', contact: 'sip:c', vpn: true },
    ]);
  });

  it('are matched when the least complete one comes first', () => {
    const table = new PartyTable([
      { uri: 'sip:ben@example.test' },
      { id: 'b2', epId: 'e2', uri: 'sip:ben@example.test' },
    ]);
    expect(table.parties()).toEqual([{ id: 'b2', epId: 'e2', uri: 'sip:ben@example.test' }]);
  });

  it('are matched by their endpoint id rather than by the URI of an earlier one', () => {
    const uri = 'sip:anna@example.test';
    const table = new PartyTable([
      { id: 'b1', uri },
      { id: 'b2', epId: 'e2', uri },
      { epId: 'e2', uri, os: 'Debian 13' },
    ]);
    expect(table.parties()).toEqual([
      { id: 'b1', uri },
      { id: 'b2', epId: 'e2', uri, os: 'Debian 13' },
    ]);
  });

  it('are matched by their dialog tag rather than by the endpoint id of an earlier one', () => {
    const [first, second] = [
      { id: 'b1', epId: 'e1' },
      { id: 'b2', epId: 'e1' },
    ];
    const table = new PartyTable([first, second, { epId: 'E1' }]);
    expect(table.keyOf({ id: 'B2', epId: 'e1' })).toBe(table.keyOf(second));
    expect(table.keyOf({ epId: 'e1' })).toBe(table.keyOf(first));
  });

  it('differ when their dialog tags or endpoint ids differ, even for the same person', () => {
    const uri = 'sip:anna@example.test';
    expect(
      new PartyTable([
        { id: 'x', uri },
        { id: 'y', uri },
      ]).parties(),
    ).toHaveLength(2);
    expect(
      new PartyTable([
        { epId: 'x', uri },
        { epId: 'y', uri },
      ]).parties(),
    ).toHaveLength(2);
  });

  it('are identified by their address when they have no name, and do not exist without any identity', () => {
    const table = new PartyTable([{ ip: '10.0.0.9', port: 5 }, {}]);
    expect(table.parties()).toEqual([{ ip: '10.0.0.9', port: 5 }]);
    expect(table.keyOf({})).toBeUndefined();
  });

  it('do not contain the port, which belongs to the stream', () => {
    const table = new PartyTable([{ id: 'a1', ip: '10.0.0.1', port: 1, inside: true }]);
    expect(table.complete({ id: 'a1', port: 2 })).toEqual({ id: 'a1', ip: '10.0.0.1', port: 2, inside: true });
  });

  it('are limited in number', () => {
    const many = Array.from({ length: PARTY_LIMIT + 10 }, (_, i) => ({ id: `t${i}` }));
    expect(new PartyTable(many).parties()).toHaveLength(PARTY_LIMIT);
  });
});

describe('the key of a party', () => {
  it.each([
    ['sip:Anna@Example.Test', 'anna@example.test'],
    ['anna@example.test', 'anna@example.test'],
    ['sips:anna@example.test;transport=tls', 'anna@example.test'],
    ['tel:+49301234', '+49301234'],
    ['sip:anna@example.test:5070', 'anna@example.test'],
    ['sip:anna@[2001:db8::7]:5070', 'anna@[2001:db8::7]'],
    ['sip:anna@2001:db8::7', 'anna@2001:db8::7'],
    ['sip:anna:secret@example.test', 'anna:secret@example.test'],
  ])('is for %s %s', (uri, key) => {
    expect(partyKey(uri)).toBe(key);
  });

  it('is for a conference not that of its organiser', () => {
    const conference = 'sip:anna@example.test;gruu;opaque=app:conf:audio-video:id:ABC';
    expect(partyKey(conference)).toBe(conference.slice(4).toLowerCase());
  });
});
