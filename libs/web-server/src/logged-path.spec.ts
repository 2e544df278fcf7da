import { Controller, Get, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Metrics } from '@ringdown/observability';
import { msProfile } from '@ringdown/vendor-profile';
import pino from 'pino';
import { Writable } from 'node:stream';
import { createListener, listen, PublicOrigins } from './index.js';
import { problemStyle } from './doors/errors.js';

const ID = 'K7ZQ2M9XW4HJR8TC';

@Controller('uc/v1/applications/:id')
class MeetingController {
  @Get('onlineMeetings/myOnlineMeetings/:meetingId')
  read(): object {
    return {};
  }

  @Get('broken/myOnlineMeetings/:meetingId')
  broken(): never {
    throw new Error('broken');
  }

  @Get('people/:person')
  person(): object {
    return {};
  }
}

class MeetingModule {}
const module: DynamicModule = { module: MeetingModule, controllers: [MeetingController] };

describe('the log of requests', () => {
  let app: NestFastifyApplication;
  let base: string;
  let log = '';

  beforeAll(async () => {
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done): void {
        log += chunk.toString();
        done();
      },
    });
    app = await createListener({
      parts: [{ module, errorStyles: [problemStyle('/')] }],
      logger: pino({ level: 'debug' }, sink),
      metrics: new Metrics(),
      webInterface: {
        web: msProfile.web,
        publicOrigins: new PublicOrigins('https://uc.example.test'),
        allowedOrigins: [],
      },
      bodyLimitBytes: 100_000,
    });
    base = `http://127.0.0.1:${await listen(app, 0, '127.0.0.1')}`;
  });
  beforeEach(() => {
    log = '';
  });
  afterAll(() => app.close());

  it.each([
    ['/uc/v1/applications/a/onlineMeetings/myOnlineMeetings', 200, '/:meetingId'],
    ['/UCWA/v1/Applications/a/OnlineMeetings/MyOnlineMeetings', 200, '/:meetingId'],
    ['/uc/v1/applications/a/broken/myOnlineMeetings', 500, '/:meetingId'],
    ['/meet/alice@example.test', 404, '(meeting)'],
    ['//MEET/alice@example.test', 404, '(meeting)'],
  ])('names a meeting below %s without its id', async (path, status, logged) => {
    expect((await fetch(`${base}${path}/${ID}?x=1`)).status).toBe(status);
    expect(log).toContain('"answered"');
    expect(log).toContain(logged);
    expect(log.toUpperCase()).not.toContain(ID);
    expect(log).not.toContain('alice');
  });

  it('keeps other paths', async () => {
    await fetch(`${base}/uc/v1/applications/a/people/bob`);
    expect(log).toContain('"path":"/uc/v1/applications/a/people/bob"');
  });
});
