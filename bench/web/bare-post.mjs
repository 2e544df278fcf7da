/** The minimum cost of replying to a POST: only Fastify, which reads the body and replies with a constant. */
import Fastify from 'fastify';

const fastify = Fastify({ logger: false, keepAliveTimeout: 75_000 });
fastify.post('/uc/v1/applications', async (_request, reply) => reply.code(201).send({ ok: true }));
console.log(await fastify.listen({ port: 0, host: '127.0.0.1' }));
