import { BerWriter, PagedResultsControl, PresenceFilter } from 'ldapts';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { LdapConnection } from './ldap-connection.js';

/** Tags of RFC 4511, section 4.5.2 and 4.1.1. */
const ENTRY = 0x64;
const DONE = 0x65;
const CONTROLS = 0xa0;

interface Page {
  readonly names: readonly string[];
  readonly cookie: string;
}

function message(id: number, write: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  write(writer);
  writer.endSequence();
  return writer.buffer;
}

function entry(id: number, name: string): Buffer {
  return message(id, (writer) => {
    writer.startSequence(ENTRY);
    writer.writeString(`cn=${name}`);
    writer.startSequence();
    writer.endSequence();
    writer.endSequence();
  });
}

function done(id: number, cookie: string): Buffer {
  return message(id, (writer) => {
    writer.startSequence(DONE);
    writer.writeEnumeration(0);
    writer.writeString('');
    writer.writeString('');
    writer.endSequence();
    writer.startSequence(CONTROLS);
    new PagedResultsControl({ value: { size: 0, cookie: Buffer.from(cookie) } }).write(writer);
    writer.endSequence();
  });
}

describe('a result in pages of which some are empty', () => {
  let server: Server;
  let connection: LdapConnection;
  let requests: Buffer[];
  let pages: Page[];

  beforeEach(async () => {
    requests = [];
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (request) => {
        requests.push(request);
        const { names, cookie } = pages.shift() ?? { names: [], cookie: '' };
        const id = request.readUInt8(request.indexOf(0x02) + 2);
        socket.write(Buffer.concat([...names.map((name) => entry(id, name)), done(id, cookie)]));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has such an address
    const { port } = server.address() as AddressInfo;
    const urls = [`ldap://127.0.0.1:${port}`];
    connection = await LdapConnection.open({ urls, startTls: false, connectMs: 5_000, answerMs: 5_000 });
  });
  afterEach(() => {
    connection.close();
    server.close();
  });

  async function readNames(): Promise<readonly string[]> {
    const filter = new PresenceFilter({ attribute: 'objectClass' });
    const names: string[] = [];
    for await (const page of connection.pages({ base: '', scope: 'sub', filter, attributes: [] }, 2))
      names.push(...page.map(({ dn }) => dn));
    return names;
  }

  it('is read to its last page', async () => {
    pages = [
      { names: ['a', 'b'], cookie: 'after b' },
      { names: [], cookie: 'still nothing' },
      { names: [], cookie: 'after all those' },
      { names: ['c'], cookie: '' },
    ];
    expect(await readNames()).toEqual(['cn=a', 'cn=b', 'cn=c']);
    expect(requests.map((request) => request.includes('after all those'))).toEqual([false, false, false, true]);
  });

  it('may begin and end with an empty page, and have no other', async () => {
    pages = [
      { names: [], cookie: 'first' },
      { names: ['a'], cookie: 'last' },
      { names: [], cookie: '' },
    ];
    expect(await readNames()).toEqual(['cn=a']);
    pages = [{ names: [], cookie: '' }];
    expect(await readNames()).toEqual([]);
    expect(requests).toHaveLength(4);
  });
});
