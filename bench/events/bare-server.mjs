/** The minimum cost of holding polls: only Fastify, without users, sessions, durability or a second replica. */
import Fastify from 'fastify';

const fastify = Fastify({ logger: false, keepAliveTimeout: 75_000 });
const waiting = new Map();
fastify.get('/events/:id', (request, reply) => void waiting.set(request.params.id, reply));
fastify.post('/events/:id', async (request, reply) => {
  const poll = waiting.get(request.params.id);
  waiting.delete(request.params.id);
  void poll?.send({ sender: [{ events: [{ link: { rel: 'message' } }] }] });
  return reply.code(204).send();
});
fastify.get('/waiting', async () => waiting.size);
console.log(await fastify.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }));
