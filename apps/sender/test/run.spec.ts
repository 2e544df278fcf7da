import { writeHep } from '@ringdown/capture/test/write-hep.js';
import { freePort } from '@ringdown/embedded';
import { eventually } from '@ringdown/testing/eventually';
import { createSocket } from 'node:dgram';
import { connect, type Socket } from 'node:net';
import { CALLER_SDP } from '@ringdown/call-capture/test/played-call.js';
import { sender, startSender } from './programs.js';
import { RecordingCollector } from '@ringdown/feed-client/test/recording-collector.js';
import { request, response } from '@ringdown/call-capture/test/sip-messages.js';

describe('ringdown-sender run', () => {
  let collector: RecordingCollector;
  let settings: Record<string, string>;

  beforeEach(async () => {
    collector = await RecordingCollector.start();
    settings = {
      HEP_HOST: '127.0.0.1',
      HEP_PORT: '0',
      INNER_PORT: String(await freePort()),
      SUBMIT_URI: collector.url,
      FRONT_END: 'edge-7',
    };
  });

  afterEach(() => collector.stop());

  it('sends records of calls until it is stopped, and serves its status', async () => {
    const running = startSender(['run'], settings);
    const port = await eventually('the sender', () => /"port":(\d+)/.exec(running.stderrText())?.[1]);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(writeHep({ payload: request('INVITE', { body: CALLER_SDP }) }));
    socket.end(writeHep({ payload: response('486 Busy Here', 'INVITE') }));
    const [record] = await eventually('a record', () => collector.records.length > 0 && collector.records);
    expect(record?.body).toContain('<FrontEnd>edge-7</FrontEnd>');
    expect(record?.body).toContain('<ResponseCode Code="486">Busy Here</ResponseCode>');
    // The collector has the record a moment before the sender has its answer.
    const status = await eventually('the answer to be counted', async () => {
      const { stdout } = await sender(['status', '--json'], settings);
      return stdout.includes('"records_total.answered":1,') && stdout;
    });
    expect(JSON.parse(status)).toMatchObject({ 'hep_packets_total.sip': 2, open_calls: 0, queue_length: 0 });
    const inWords = await sender(['status'], settings);
    expect(inWords.stdout).toMatch(/^records_total\.answered +1$/m);
    running.kill('SIGTERM');
    expect((await running.ended).exitCode).toBe(0);
  });

  it('leaves itself descriptors when agents open more connections than it may have', async () => {
    const running = startSender(['run'], settings, 200);
    const idle: Socket[] = [];
    try {
      const port = Number(await eventually('the sender', () => /"port":(\d+)/.exec(running.stderrText())?.[1]));
      await collector.stop();
      let closed = 0;
      for (let n = 0; n < 300; n++) idle.push(connect(port, '127.0.0.1').on('error', () => undefined));
      for (const socket of idle) socket.once('close', () => closed++).resume();
      await eventually('the connections over the limit to be closed', () => closed >= 100);
      await collector.start();
      const socket = createSocket('udp4');
      for (const payload of [request('INVITE', { body: CALLER_SDP }), response('486 Busy Here', 'INVITE')])
        await new Promise((resolve) => socket.send(writeHep({ payload }), port, '127.0.0.1', resolve));
      socket.close();
      await eventually('a record', () => collector.records.length > 0);
      expect(running.stderrText()).toContain(
        '200 files and connections at the same time (ulimit -n); reduced connections for HEP from 256 to 72',
      );
    } finally {
      for (const each of idle) each.destroy();
      running.kill('SIGTERM');
    }
    expect((await running.ended).exitCode).toBe(0);
  });

  it('forgets a call without an end, and logs its Call-ID', async () => {
    const running = startSender(['run'], { ...settings, SENDER_INVITE_TIMEOUT_SECONDS: '1' });
    const port = await eventually('the sender', () => /"port":(\d+)/.exec(running.stderrText())?.[1]);
    connect(Number(port), '127.0.0.1').end(writeHep({ payload: request('INVITE', { callId: 'rings-for-ever' }) }));
    const line = await eventually('its line', () => /^.*call forgotten.*$/m.exec(running.stderrText())?.[0]);
    expect(JSON.parse(line)).toMatchObject({ callId: 'rings-for-ever', state: 'inviting', why: 'nothing followed' });
    const { stdout } = await sender(['status', '--json'], settings);
    expect(JSON.parse(stdout)).toMatchObject({ 'calls_forgotten_total.nothing_followed': 1, open_calls: 0 });
    running.kill('SIGTERM');
    await running.ended;
    expect(collector.records).toEqual([]);
  });

  it.each([
    [{ HEP_TLS_PORT: '0' }, 'HEP_TLS_PORT needs HEP_TLS_CERT and HEP_TLS_KEY'],
    [{ HEP_TLS_PORT: '0', HEP_TLS_CERT: '/nowhere', HEP_TLS_KEY: '/nowhere' }, 'HEP_TLS_CERT cannot be read'],
    [{ HIDE_PII: 'on' }, 'OBFUSCATION_SEED: the seed'],
    [{ HEP_PROT: '9060' }, 'HEP_PROT is not a setting; did you mean HEP_PORT?'],
    [{ OUTPUT_SCHEMA: 'B' }, 'OUTPUT_SCHEMA must be one of 1.0, C, D'],
    [{ ALTERNATIVE_URI: 'http://me:secret@host' }, 'must not contain a user name or password'],
    [{ SUBMIT_CLIENT_KEY: 'x' }, 'SUBMIT_CLIENT_CERT and SUBMIT_CLIENT_KEY must be set together'],
    [{ SUBMIT_URI: 'nowhere' }, 'SUBMIT_URI must be a URL'],
    [{ LOG_FOLDER: '/proc/nowhere' }, 'LOG_FOLDER: cannot write logs in /proc/nowhere: '],
  ])('does not start with %j', async (wrong, message) => {
    const { exitCode, stderr } = await sender(['run'], { ...settings, ...wrong });
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  it('reports that no sender is running', async () => {
    const { exitCode, stderr } = await sender(['status'], settings);
    expect(stderr).toMatch(/^ringdown-sender: no sender answers at http:\/\/127\.0\.0\.1:\d+\/metrics: .*ECONNREFUSED/);
    expect(exitCode).toBe(1);
  });
});
