import assert from 'node:assert/strict';
import { newScopeId, numbered } from '../../src/vscode/new-scope-id';

describe('the id of a new scope', () => {
  it('is its name in small letters, with nothing that an id may not hold', () => {
    assert.equal(newScopeId('Web Shop', 'PRODUCT', []), 'web-shop');
    assert.equal(newScopeId(' Café ', 'GROUP', ['group']), 'cafe');
  });

  it('may be taken, which says that there is such a scope', () => {
    assert.equal(newScopeId('Web Shop', 'PRODUCT', ['web-shop']), 'web-shop');
  });

  it('of a name in another script is the tier, and never that of another one', () => {
    assert.equal(newScopeId('決済', 'GROUP', []), 'group');
    assert.equal(newScopeId('配送', 'GROUP', ['group']), 'group-2');
    assert.equal(newScopeId('店舗', 'PRODUCT', ['group', 'product', 'product-2']), 'product-3');
  });

  it('gets the first number that is free', () => {
    assert.equal(numbered('web', []), 'web');
    assert.equal(numbered('web', ['web', 'web-2', 'web-4']), 'web-3');
  });
});
