// touched
// touched
