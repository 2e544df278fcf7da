/** The minimum cost of a POST that is stored durably: Fastify, and one entry of a key-value bucket of NATS for each request. */
import { randomUUID } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import Fastify from 'fastify';

const { hostname, port, username: user, password: pass } = new URL(process.env.NATS_URL);
const connection = await connect({ servers: `${hostname}:${port}`, user, pass, noAsyncTraces: true });
const bucket = await new Kvm(jetstream(connection)).create('APPLICATIONS', { history: 1 });

const fastify = Fastify({ logger: false, keepAliveTimeout: 75_000 });
fastify.post('/uc/v1/applications', async ({ body }, reply) => {
  const id = randomUUID();
  await bucket.put(`app.${id}`, JSON.stringify({ id, ...body }));
  return reply.code(201).send({ ok: true });
});
console.log(await fastify.listen({ port: 0, host: '127.0.0.1' }));
