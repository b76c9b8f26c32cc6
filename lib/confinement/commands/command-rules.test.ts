import { describe, expect, test } from 'vitest';
import { isAllowed, prefixesOf, refusal } from './command-rules.ts';

const PLACE = { root: '/home/me/project', cwd: '/' };
const NO_RULES = { deny: [] };

describe('refuses what would destroy the folder or the machine', () => {
  test.each([
    'rm -rf /',
    'rm -rf .',
    'rm -rf ./',
    'rm -rf *',
    'rm -rf {*,.*}',
    'sudo rm -rf ./{*,.[!.]*}',
    'rm -rf {..,src}',
    'cd src && rm -rf ../{src,.git/objects}',
    'rm -r -f ./*',
    'rm -rf /home/me/project',
    'rm -rf /home/me/project/',
    'rm -rf /home',
    'rm -rf ~',
    'rm -rf "$PWD"',
    'cd src; rm -rf $PWD/..',
    'rm -rf "$(pwd)"',
    'rm -rf $HOME',
    'rm -rf .git',
    'cd src && rm -rf ../.git/*',
    'rm -rf .git/objects .git/refs',
    'rm -rf ../project',
    'rm -rf ../project/*',
    'cd src && rm -rf ../../project',
    'cd ../other && rm -rf ../project',
    'rm -rf ?*',
    'git clean -fdx',
    'git -C . clean -x -d -f',
    'rm -r .git/refs/heads',
    'cd .git && rm -rf *',
    'rm -rf sub/.git/',
    'sudo bash -c "rm -rf ."',
    'rm --recursive --force /',
    'rm -Rf -- /',
    'echo hi; cd src && cd .. && rm -rf .',
    'sudo rm -rf /',
    'bash -c "rm -rf /"',
    "sh -c 'echo a && rm -rf .'",
    'eval "rm -rf ."',
    'echo $(rm -rf /)',
    'echo / | xargs rm -rf /',
    'env X=1 rm -rf /',
    'timeout 5 rm -rf .',
    '/bin/rm -rf .',
    'r\\m -rf .',
    '"rm" "-rf" "."',
    'find . -delete',
    'find / -exec rm -rf {} +',
    'if true; then rm -rf .; fi',
    'f() { rm -rf .; }; f',
    'mkfs.ext4 /dev/sda1',
    'mkfs -t ext4 disk',
    'dd if=/dev/zero of=/dev/sda bs=1M',
    'echo x > /dev/sda',
    'cat a | tee /dev/nvme0n1',
    ':(){ :|:& };:',
    'bomb() { bomb & bomb; }; bomb',
    'shutdown -h now',
    'chmod -R 777 /',
    'kill -9 -1',
  ])('%s', (command) => {
    expect(refusal(command, NO_RULES, PLACE)).toMatch(/\w/);
  });

  test.each([
    'ls a[;rm -rf *;]',
    'ls a[ ; rm -rf * ; ]',
    'ls a[|sh|]',
    'ls a[&sh&]',
    'ls a[<(sh)]',
    'ls a["]; rm -rf *; echo "]',
    'rm -rf * ; c\\url --version\nfi',
    'g\\it push\necho "unclosed',
    'bash -c "ls a[;rm -rf *;]"',
    'echo $(($& 1))',
    `ls ${'a'.repeat(300_000)}`,
  ])('what cannot be understood: %j', (command) => {
    expect(refusal(command, NO_RULES, PLACE)).toMatch('could not be understood');
    expect(isAllowed(command, { allow: ['ls', 'echo', 'rm', 'bash'] })).toBe(false);
    expect(prefixesOf(command)).toBeUndefined();
    // The next one is understood again.
    expect(refusal('ls', NO_RULES, PLACE)).toBeUndefined();
  });

  test('from a folder below, with a path that leads to the root', () => {
    expect(refusal('rm -rf ..', NO_RULES, { ...PLACE, cwd: '/src' })).toMatch('everything in the folder');
  });
});

describe('lets ordinary commands pass', () => {
  test.each([
    'rm -rf node_modules dist',
    'rm -rf ./build/*',
    'rm -rf ../project/build',
    'rm -rf {dist,build}',
    'rm -rf build/{*,.*}',
    'git clean -fd',
    'git clean -ndx',
    'git clean -fdx build',
    'git log -x',
    'cd src && rm -rf .cache',
    'cd build && rm -rf *',
    'rm file.txt',
    'find . -name "*.pyc" -delete',
    'dd if=/dev/zero of=zeros bs=1k count=1',
    'echo done > /dev/null 2>&1',
    'npm test -- --watch=false',
    'for f in *.txt; do wc -l "$f"; done',
    'f() { echo hi; }; f | cat',
    'chmod -R u+w src',
    'kill -9 1234',
    'echo "rm -rf /"',
    'git commit -m "Remove / from paths"',
    'cat <<EOF > notes.txt\nrm -rf /\nEOF',
  ])('%s', (command) => {
    expect(refusal(command, NO_RULES, PLACE)).toBeUndefined();
  });
});

describe('denied commands', () => {
  const rules = { deny: ['git push', 'curl'] };

  test.each([
    'git push origin main',
    'git  push',
    'cd x && git push',
    '/usr/bin/git push',
    'g"i"t push',
    'bash -c "git push"',
    'echo $(curl http://example.com)',
    'env curl x',
    'x=git; $x push',
    '`echo curl` x',
    'x=push; git $x',
    'git $(echo push) origin',
    'git $none push',
    'bash -c -- "git push"',
    'bash -co pipefail "git push"',
    'bash -o pipefail -c "git push"',
    'bash -ec "git push"',
    'sudo sh -c "git push"',
    'trap "git push" EXIT',
    'env -S "git push"',
    'git push "unclosed',
  ])('%s is refused with the reason', (command) => {
    expect(refusal(command, rules, PLACE)).toMatch(/deny|do not allow|could not be understood/);
  });

  test.each(['git status', 'git status "$x"', 'npm run $x', 'git commit -m "git push"', 'echo curl', 'trap - EXIT'])(
    '%s is not',
    (command) => {
      expect(refusal(command, rules, PLACE)).toBeUndefined();
    },
  );
});

describe('allowed commands', () => {
  const rules = { allow: ['npm test', 'git status', 'ls'] };

  test.each(['npm test', 'npm test -- --run', 'git status && ls -la', 'ls | ls', 'ls > /dev/null 2>&1', 'ls src/*.ts'])(
    '%s runs',
    (command) => {
      expect(isAllowed(command, rules)).toBe(true);
    },
  );

  test.each([
    'npm testing',
    'npm run test',
    'npm test; rm x',
    'npm test && curl x',
    'npm test $(rm x)',
    'npm test `rm x`',
    'npm test > package.json',
    'LD_PRELOAD=./x npm test',
    './npm test',
    'npm test & rm x',
    'npm test\nrm x',
    'npm "unclosed',
    'ls <(rm x)',
    'ls "$HOME"',
    'for f in *; do ls; done',
    'ls() { rm x; }; ls',
    'ls &',
    'ls 3<> file',
    'ls < /dev/tcp/example.com/80',
    'ls <<< "$(rm x)"',
    'ls <<EOF\n$(rm x)\nEOF',
    'ls $((x = 1))',
    'ls $((x[$(rm x)]))',
    'ls *',
    'ls {a,b}',
    'if ls; then ls; fi',
    '(ls)',
    '',
    'sudo npm test',
  ])('%s asks', (command) => {
    expect(isAllowed(command, rules)).toBe(false);
  });
});

test.each([
  ['npm test', ['npm test']],
  ['git status && npm test -- --run', ['git status', 'npm test -- --run']],
  ['git commit -m "two words"', undefined],
  ['npm test > log', undefined],
  ['X=1 npm test', undefined],
  ['echo $HOME', undefined],
  ['echo "unclosed', undefined],
])('what “always” keeps for %s allows just that', (command, prefixes) => {
  expect(prefixesOf(command)).toEqual(prefixes);
});
