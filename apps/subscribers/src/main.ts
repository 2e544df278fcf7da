import 'reflect-metadata';
import { runService } from '@ringdown/service';
import { subscribers } from './subscribers.js';

await runService(subscribers);
