import { describe, expect, it } from 'vitest';
import { isProtectedPath } from '../../../src-main/policy/protected-paths.ts';
import { createSecretPaths } from '../../../src-main/policy/secret-paths.ts';

describe('likely secrets', () => {
  const isSecret = createSecretPaths();

  it('are found by any component, in any letter case', () => {
    const secrets = [
      '.env',
      '.env.local',
      'a/.ENV',
      '.ssh/config',
      'x/.aws/y/z',
      'server.PEM',
      'id_rsa.pub',
      'id_ed25519',
    ];
    for (const path of [
      ...secrets,
      '.npmrc',
      '.git-credentials',
      'credentials.json',
      'secrets.yaml',
      '.config/gcloud/x',
    ]) {
      expect(isSecret(path), path).toBe(true);
    }
  });

  it('are not what only looks near one', () => {
    for (const path of ['.env.example', '.env.sample', 'keys.ts', 'src/secret.ts', 'env', '.config/x']) {
      expect(isSecret(path), path).toBe(false);
    }
  });

  it('are found in spellings that a file system takes for the same name', () => {
    for (const path of ['.e\u200bnv', '．env', '.SSH\\id', '.env.', '/home/a/.ssh/id_x']) {
      expect(isSecret(path), path).toBe(true);
    }
  });

  it('a person may add patterns', () => {
    const own = createSecretPaths(['*.tfstate', 'infra/**/vault', 'a+b']);
    expect(['x/y.tfstate', 'infra/a/b/vault', 'infra/a/vault/x', 'a+b'].map(own)).toEqual([true, true, true, true]);
    expect(['y.tfstates', 'infra.txt', 'aab'].map(own)).toEqual([false, false, false]);
  });
});

describe('protected paths', () => {
  it('P16: are found in any letter case, whether or not they exist', () => {
    const guarded = ['.git/hooks/pre-commit', '.GIT/config', '.warrant.json', '.Vscode/tasks.json', 'sub/.envrc'];
    for (const path of [...guarded, '.husky/x', '.github/workflows/ci.yml', '/home/a/.bashrc', '.g\u200cit/config']) {
      expect(isProtectedPath(path), path).toBe(true);
    }
    for (const path of ['.github/CODEOWNERS', '.gitignore', 'git/x', 'src/a.ts', 'workflows/x']) {
      expect(isProtectedPath(path), path).toBe(false);
    }
  });
});
