/** What answering a POST costs at least: Fastify alone, which reads the body and answers a constant. */
import Fastify from 'fastify';

const fastify = Fastify({ logger: false, keepAliveTimeout: 75_000 });
fastify.post('/uc/v1/applications', async (_request, reply) => reply.code(201).send({ ok: true }));
console.log(await fastify.listen({ port: 0, host: '127.0.0.1' }));
