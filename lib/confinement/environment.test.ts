import { expect, test } from 'vitest';
import { programFolders } from './environment.ts';

test.each([
  ['/usr/bin', []],
  ['/home/me', []],
  ['/home/me-2/bin', []],
  ['bin', []],
  ['', []],
  ['/home/me/bin', ['bin']],
  ['/home/me/tools/node/bin', ['tools/node/bin', 'tools/node/lib', 'tools/node/libexec']],
  ['/home/me/.nvm/versions/node/v24/bin', ['.nvm', '.nvm/versions/node/v24/bin']],
  ['/home/me/.cargo/bin', ['.cargo/bin', '.rustup/toolchains']],
  ['/home/me/.local/bin', ['.local/bin', '.local/lib', '.local/share/pipx']],
  ['/home/me/.config/composer/vendor/bin', ['.config/composer/vendor/bin']],
  ['/home/me/project/node_modules/.bin', ['project/node_modules', 'project/node_modules/.bin']],
])('of PATH %j, programs need %j below home', (path, folders) => {
  const found = programFolders(`/bin:${path}`, '/home/me');
  expect(found).toEqual(expect.arrayContaining(folders.map((folder) => `/home/me/${folder}`)));
  if (folders.length === 0) expect(found).toEqual([]);
});

test('what is next to programs stays closed', () => {
  const path = ['.cargo/bin', '.local/bin', '.config/composer/vendor/bin', 'bin'].map((folder) => `/home/me/${folder}`);
  const found = programFolders(path.join(':'), '/home/me');
  for (const secret of ['.cargo/credentials.toml', '.config/gh/hosts.yml', '.local/share/keyrings/x', '.ssh/id'])
    expect(
      found.filter((folder) => `/home/me/${secret}`.startsWith(`${folder}/`)),
      secret,
    ).toEqual([]);
});
