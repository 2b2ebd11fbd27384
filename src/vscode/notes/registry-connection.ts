import type * as vscode from 'vscode';
import { DatabaseConnection } from '../database-connection';
import type { Log } from '../log';

/** Which registry the person uses; see `DatabaseConnection`. */
export class RegistryConnection extends DatabaseConnection {
  constructor(secrets: vscode.SecretStorage, log: Log) {
    const names = {
      secret: 'kaizen.registry',
      context: 'kaizen.registryConnected',
      variable: 'KAIZEN_REGISTRY_URL',
      unverifiedVariable: 'KAIZEN_REGISTRY_UNVERIFIED_TLS',
      what: 'the registry',
    };
    super(names, secrets, log);
  }
}
