import fastify from 'fastify';
import { RefundRefused } from '../payments/refunds.js';

export const server = fastify({
  bodyLimit: 64 * 1024,
  requestTimeout: 25_000,
  logger: { redact: ['req.headers.authorization', 'req.headers["idempotency-key"]'] },
});

server.get('/health', async () => ({ status: 'ok' }));

server.setErrorHandler((error, request, reply) => {
  const status = error instanceof RefundRefused ? 409 : (error.statusCode ?? 500);
  if (status >= 500) request.log.error(error);
  return reply
    .status(status)
    .type('application/problem+json')
    .send({
      type: error instanceof RefundRefused ? `https://errors.webapp.example/${error.reason}` : 'about:blank',
      title: status >= 500 ? 'Something went wrong on our side' : error.message,
      status,
      instance: request.id,
    });
});
