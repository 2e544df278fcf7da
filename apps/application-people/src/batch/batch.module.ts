import { Module } from '@nestjs/common';
import { ContextModule } from '../context.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { BatchController } from './batch.controller.js';

/** Several requests in one. */
@Module({ imports: [ContextModule, SessionsModule], controllers: [BatchController] })
export class BatchModule {}
