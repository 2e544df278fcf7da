import { readFirstUsers } from '@ringdown/directory/people-file';
import { eventually } from '@ringdown/testing/eventually';
import { CHECKOUT, guideCommands, shell, type Shell } from '@ringdown/testing/guide-shell';
import { freePorts, launch, running } from '@ringdown/testing/launched-system';
import { Started } from '@ringdown/testing/started';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('the commands of the guides', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-commands-'));
  const started = new Started();
  const shells = new Started();

  afterEach(() => shells.stopAll());
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  async function passwordOf(name: string, place: string): Promise<string> {
    const users = await readFirstUsers(join(place, 'data', 'first-users.json'));
    return users.find(({ username }) => username.startsWith(`${name}@`))?.password ?? '';
  }

  /** A checkout in which the system runs, with the files that the commands use. */
  async function checkout(name: string, settings: Record<string, string>): Promise<{ place: string; port: string }> {
    const place = join(folder, name);
    mkdirSync(place);
    symlinkSync(join(CHECKOUT, 'docs'), join(place, 'docs'));
    const ports = await freePorts();
    const origin = { PUBLIC_ORIGIN: `https://localhost:${ports.PORT}` };
    await running(started.add(launch({ ...origin, ...settings, ...ports, DATA_DIR: join(place, 'data') })));
    return { place, port: ports.PORT };
  }

  describe.each([
    ['default', '/uc/v1/applications/'],
    ['ms', '/ucwa/oauth/v1/applications/'],
  ])('to writing a client, with the profile %s,', (profile, applications) => {
    const [curl = '', thirtyLines = '', answering = ''] = guideCommands('write-a-client.md');
    let place: string;
    let port: string;

    beforeAll(async () => {
      ({ place, port } = await checkout(`client-${profile}`, { VENDOR_PROFILE: profile }));
    });

    /** The output word for word, except the port and what only the reader knows. */
    async function run(commands: string): Promise<Shell> {
      const [alice, bob] = [await passwordOf('alice', place), await passwordOf('bob', place)];
      const own = commands
        .replaceAll('localhost:8443', `localhost:${port}`)
        .replaceAll('alice@example.test PASSWORD', `alice@example.test ${alice}`)
        .replaceAll('bob@example.test PASSWORD', `bob@example.test ${bob}`);
      return shell(own, { cwd: place }, shells);
    }

    it.each(['the first time', 'and again'])(
      'sign in, find a person, send a message, and show the result, %s',
      async () => {
        const printed = await run(curl);
        const isOver = (): boolean =>
          printed.output().includes('TemporarilyUnavailable') || printed.exitCode() !== null;
        await eventually('the end of the invitation', isOver);
        expect([printed.errors(), printed.exitCode()]).toEqual(['', null]);
        expect(printed.output()).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
        expect(printed.output()).toMatch(new RegExp(`\r\nLocation: ${applications}\\d+`));
        const batches = printed
          .output()
          .split('\n')
          .filter((line) => line.startsWith('{'));
        const events = batches.flatMap((line) => senderEvents(JSON.parse(line)));
        expect(events).toContainEqual({
          rel: 'messagingInvitation',
          type: 'completed',
          status: 'Failure',
          reason: { code: 'RemoteFailure', subcode: 'TemporarilyUnavailable' },
        });
      },
    );

    it('end when the server has no events any more', async () => {
      const printed = await run(`set +e\n${curl.replace(/^EVENTS=.*$/m, 'EVENTS=/nowhere')}`);
      await printed.ended;
      expect(printed.output().match(/"No resource exists at this address."/g)).toHaveLength(1);
    });

    it('run the client of thirty lines', async () => {
      const printed = await run(thirtyLines);
      const isOver = (): boolean => printed.output().includes('messagingInvitation completed');
      await eventually('the end of the invitation', () => isOver() || printed.exitCode() !== null);
      expect([printed.errors(), printed.exitCode()]).toEqual(['', null]);
    });

    it('run a client that answers, and one that receives the answer', async () => {
      const certificate = 'export NODE_EXTRA_CA_CERTS=data/tls/cert.pem\n';
      expect(thirtyLines).toContain(certificate);
      // Until the first client is available, the second reports that and ends; a person would start it again.
      const [first = '', second = ''] = answering.trim().split('\n');
      await run(`${certificate}${first}\nwait`);
      const again = `until OUTPUT=$(${second} 2> /dev/null) && [ "$OUTPUT" ]; do :; done; echo "$OUTPUT"`;
      const printed = await run(`${certificate}${again}`);
      await printed.ended;
      expect([printed.output(), printed.exitCode()]).toEqual(['You said: Are you there?\n', 0]);
    });
  });

  describe('for an existing client', () => {
    const [settings = '', look = ''] = guideCommands('existing-clients.md');
    let place: string;
    let port: string;

    beforeAll(async () => {
      const shown = [...settings.matchAll(/^(\w+)=(\S+)/gm)].map(([, name = '', value = '']) => [name, value]);
      // The test has no operator certificate, and may not listen on ports below 1024.
      const left = shown.filter(([name = '']) => !/^(TLS_|HTTP_PORT$)/.test(name));
      ({ place, port } = await checkout('existing', Object.fromEntries(left)));
      const here = `cacert = "data/tls/cert.pem"\nconnect-to = "::localhost:${port}"\nsilent\nshow-error\n`;
      writeFileSync(join(place, '.curlrc'), here);
    });

    it('show that the system is found by its host names, and allows sign-in', async () => {
      expect(look.match(/^curl /gm)).toHaveLength(3);
      const password = await passwordOf('alice', place);
      const printed = shell(look.replace('password=…', `password=${password}`), { cwd: place }, shells);
      await printed.ended;
      const root = 'https://uc.example.org/Autodiscover/AutodiscoverService.svc/root';
      expect([printed.errors(), printed.exitCode()]).toEqual(['', 0]);
      expect(printed.output()).toContain(`"user":{"href":"${root}/oauth/user"}`);
      expect(printed.output()).toContain('HTTP/1.1 401 Unauthorized');
      expect(printed.output()).toContain(
        'WWW-Authenticate: MsRtcOAuth href="https://uc.example.org/WebTicket/oauthtoken"',
      );
      expect(printed.output()).toMatch(
        /\{"access_token":"cwt=[^"]+","expires_in":28800,"ms_rtc_identityscope":"local",/,
      );
    });
  });
});

interface ToldEvent {
  readonly rel: string;
  readonly type: string;
  readonly status?: string;
  readonly reason?: object;
}

interface Batch {
  readonly sender: readonly {
    readonly events: readonly (Omit<ToldEvent, 'rel'> & { readonly link: Pick<ToldEvent, 'rel'> })[];
  }[];
}

function senderEvents({ sender }: Batch): readonly ToldEvent[] {
  const all = sender.flatMap(({ events }) => events);
  return all.map(({ link, type, status, reason }) => ({
    rel: link.rel,
    type,
    ...(status && { status }),
    ...(reason && { reason }),
  }));
}
