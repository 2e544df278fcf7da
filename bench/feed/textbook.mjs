/**
 * A collector as in tutorials: Nest with its default adapter, fast-xml-parser, and one acknowledged publish for each
 * record. Runs in a folder that contains these packages (see peers.mjs): `node textbook.mjs NATS_URL USER PASSWORD`.
 */
import 'reflect-metadata';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Body, Controller, Header, HttpCode, Inject, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { XMLParser } from 'fast-xml-parser';

const [servers, user, pass] = process.argv.slice(2);
const connection = await connect({ servers, user, pass });
await (await jetstreamManager(connection)).streams.add({ name: 'TEXTBOOK', subjects: ['textbook.records'] });

class RecordsController {
  #parser = new XMLParser({ ignoreAttributes: false });
  #count = 0;

  constructor(stream) {
    this.stream = stream;
  }

  async accept(xml) {
    const record = this.#parser.parse(xml);
    await this.stream.publish('textbook.records', JSON.stringify({ receivedAt: Date.now(), record, xml }));
    return `<Response><Count>${++this.#count}</Count></Response>`;
  }
}

// What the compiler generates for decorators.
const { prototype } = RecordsController;
const accept = Object.getOwnPropertyDescriptor(prototype, 'accept');
for (const decorate of [Post('*path'), HttpCode(200), Header('content-type', 'text/xml')])
  decorate(prototype, 'accept', accept);
Body()(prototype, 'accept', 0);
Inject('stream')(RecordsController, undefined, 0);
Controller()(RecordsController);

class AppModule {}
Module({
  controllers: [RecordsController],
  providers: [{ provide: 'stream', useValue: jetstream(connection) }],
})(AppModule);

const app = await NestFactory.create(AppModule, { logger: false });
app.useBodyParser('text', { type: '*/*' });
await app.listen(0, '127.0.0.1');
console.log(await app.getUrl());
