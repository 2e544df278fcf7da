/** The minimum cost of replying to a POST: node:http reads the body and replies with a constant. */
import { createServer } from 'node:http';

const ANSWER = '<Response><Count>1</Count></Response>';
const headers = { 'content-type': 'text/xml', 'content-length': ANSWER.length };
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, headers).end(ANSWER));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
