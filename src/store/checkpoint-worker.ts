import { parentPort, workerData } from 'node:worker_threads';
import { type CheckpointTask, makeSnapshot } from './checkpoint';

void makeSnapshot(workerData as CheckpointTask).then((result) => parentPort?.postMessage(result));
